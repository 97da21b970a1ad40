import type { OwnTexts } from '../../../contract/entities.ts';
import { ALL_TEXTS } from '../../../contract/viewer-texts/all.ts';
import { LANGUAGES, type Language } from '../../../contract/viewer-texts/limits.ts';

/** Texts of text pages: those of rooms, and additional ones. `{name}` is a placeholder. */
export type TwinTexts = (typeof ALL_TEXTS)[Language];

/**
 * The language of a text page.
 * @param asked the language in the URL
 * @param accepted the browser's Accept-Language header
 */
export function twinLanguage(asked: string | null, accepted: string | undefined): Language {
  const codes = [asked ?? '', ...(accepted ?? '').slice(0, 500).split(',')];
  const known = codes.map((code) => code.trim().slice(0, 2).toLowerCase());
  return known.flatMap((code) => LANGUAGES.filter((language) => language === code))[0] ?? 'en';
}

/** Texts in a language, overridden by the organization's own. */
export const twinTexts = (language: Language, own: OwnTexts): TwinTexts => ({
  ...ALL_TEXTS[language],
  ...own[language],
});

/** Fills in a text's placeholders. */
export const fillText = (text: string, values: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
