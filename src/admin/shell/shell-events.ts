/** What a screen tells the window of when something else may wait than before. */
export const WAITING_EVENT = 'enfilade-waiting';

/** Name of the event with which any part of the page opens the palette again. */
export const PALETTE_EVENT = 'enfilade:palette';
