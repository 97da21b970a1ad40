/** Name of the event with which any part of the page opens the palette again. */
export const PALETTE_EVENT = 'enfilade:palette';
