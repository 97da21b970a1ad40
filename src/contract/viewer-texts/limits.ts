/** Languages of the viewer, by their codes. */
export const LANGUAGES = ['en', 'nl'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Longest text that may stand in place of one of the viewer's own, in characters. */
export const LONGEST_TEXT = 500;
