/** What a screen tells the window of when something else may wait than before. */
export const WAITING_EVENT = 'enfilade-waiting';
