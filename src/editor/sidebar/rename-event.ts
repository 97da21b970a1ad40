/** Sent to the window by the key that renames the selected element. */
export const RENAME_EVENT = 'enfilade:rename';
