import type { OwnTexts } from '../../../contract/entities.ts';
import { en, type Texts } from '../../../contract/viewer-texts/en.ts';
import { LANGUAGES, type Language } from '../../../contract/viewer-texts/limits.ts';
import { nl } from '../../../contract/viewer-texts/nl.ts';
import { type TextPageKey, textPageEn, textPageNl } from '../../../contract/viewer-texts/text-page.ts';

/** Texts of text pages: those of rooms, and additional ones. `{name}` is a placeholder. */
export type TwinTexts = Texts & Record<TextPageKey, string>;

const TABLES: Record<Language, TwinTexts> = { en: { ...en, ...textPageEn }, nl: { ...nl, ...textPageNl } };

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
export const twinTexts = (language: Language, own: OwnTexts): TwinTexts => ({ ...TABLES[language], ...own[language] });

/** Fills in a text's placeholders. */
export const fillText = (text: string, values: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
