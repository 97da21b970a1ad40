/** Language codes of the viewer. */
export const LANGUAGES = ['en', 'de', 'fr', 'nl'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Maximum length of a custom text, in characters. */
export const MAX_TEXT_LENGTH = 500;
