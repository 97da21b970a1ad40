import { chosenLanguage, MAX_LANGUAGES } from './languages.ts';
import { shownTranslation, type TextTranslations } from './translation-fields.ts';
import { hashOfText } from './translation-state.ts';

/** Texts by field, such as the current ones or new translations. */
export type TextsByField = Readonly<Record<string, string | undefined>>;

/** Translations stored as JSON. */
export const parseTranslations = (json: string): TextTranslations => JSON.parse(json) as TextTranslations;

/**
 * Translations with some of a language replaced, with the hashes of their sources. An empty text removes one; a field
 * without a source has none.
 * @param sources current texts
 * @throws RangeError over the limit of languages
 */
export function withTexts(
  before: TextTranslations,
  language: string,
  texts: TextsByField,
  sources: TextsByField,
): TextTranslations {
  const own = { ...before[language] };
  for (const [field, text] of Object.entries(texts)) {
    if (text === undefined) continue;
    const source = sources[field] ?? '';
    if (text.trim() === '' || source.trim() === '') delete own[field];
    else own[field] = { text, source: hashOfText(source) };
  }
  const { [language]: _, ...others } = before;
  if (Object.keys(own).length === 0) return others;
  if (Object.keys(others).length >= MAX_LANGUAGES) throw new RangeError(`Use at most ${MAX_LANGUAGES} languages.`);
  return { ...others, [language]: own };
}

/**
 * The best language of a field for a visitor whose first choice it is translated into. Further choices don't count: the
 * text itself may be in one of them.
 */
export const translatedLanguage = (
  translations: TextTranslations,
  wanted: readonly string[],
  field: string,
): string | undefined =>
  chosenLanguage(
    wanted.slice(0, 1),
    Object.keys(translations).filter((tag) => shownTranslation(translations, tag, field) !== undefined),
  );
