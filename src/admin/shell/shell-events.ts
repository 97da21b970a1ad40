/** Window event: the number of messages waiting may have changed. */
export const WAITING_EVENT = 'enfilade-waiting';

/** Window event that opens the palette. */
export const PALETTE_EVENT = 'enfilade:palette';
