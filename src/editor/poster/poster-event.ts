/** What the editor tells the window of when its space has been published: the poster is drawn then. */
export const POSTER_EVENT = 'enfilade-poster';
