/** Language codes of the viewer. */
export const LANGUAGES = ['en', 'de', 'fr', 'nl', 'es', 'it', 'pt', 'pl', 'ja', 'ar'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Writing direction of a language, for `dir`. */
export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr');

/** The language of a BCP 47 tag such as `pt-BR`; undefined for an unsupported language or a malformed tag. */
function languageOf(tag: string): Language | undefined {
  try {
    const { language } = new Intl.Locale(tag);
    return LANGUAGES.find((known) => known === language);
  } catch {
    return undefined;
  }
}

/**
 * The first supported language; English if there is none.
 * @param tags BCP 47 tags in order of preference; malformed ones are ignored
 */
export function preferredLanguage(tags: readonly string[]): Language {
  for (const tag of tags) {
    const language = languageOf(tag);
    if (language) return language;
  }
  return 'en';
}

/** Maximum length of a custom text, in characters. */
export const MAX_TEXT_LENGTH = 500;
