/** English texts needed before the rest loads. */
export const enEarly = {
  loading: 'Loading…',
  invitation: 'Click to enter the world...',
  emptyRoom: 'This room is empty.',
  noWebgl: 'This room needs WebGL. Try another browser.',
  noPage: 'This page does not exist.',
  notOpened: 'This room could not be opened.',
  noRoomYet: 'There is no room here yet.',
  notReached: 'The room could not be reached. Check your connection and try again.',
  partMissing: 'Part of this room could not be loaded.',
  partLost: 'Part of this page could not be loaded. Check your connection.',
  retry: 'Retry',
  reloadPage: 'Reload page',
  pictureLost: 'Graphics were interrupted. Restoring…',
  asText: 'Read this room as text',
};

export type EarlyTextKey = keyof typeof enEarly;
