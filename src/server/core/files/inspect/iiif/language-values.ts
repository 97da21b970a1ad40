import { isRecord } from '../../../../../../engine/document/field-paths.ts';
import { canonicalTag, MAX_LANGUAGES } from '../../../../../../engine/document/languages.ts';
import { textOfHtml } from '../../../html/sanitize-html.ts';

/** Texts by canonical language tag; those without a language are under `none`. */
export type LanguageValues = ReadonlyMap<string, string>;

export const NONE = 'none';

const EMPTY: LanguageValues = new Map();
/** Maximum values of a property, and characters of each. */
const MAX_VALUES = 50;
const MAX_VALUE = 4000;

/** A text on one line, without markup, control characters and lone surrogates. */
function plainText(text: string): string {
  const cut = text.slice(0, MAX_VALUE);
  const plain = /[<&]/.test(cut) ? textOfHtml(cut) : cut;
  return plain
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value])
    .slice(0, MAX_VALUES)
    .flatMap((each) => (typeof each === 'string' || typeof each === 'number' ? plainText(String(each)) || [] : []));

/**
 * Reads a language map (Presentation API 3.0, 4.1): texts by language. Plain texts and lists have no language. Markup is
 * removed.
 */
export function languageValues(value: unknown): LanguageValues {
  if (value === undefined || value === null) return EMPTY;
  const map = isRecord(value) ? value : { [NONE]: value };
  const values = new Map<string, string>();
  for (const [key, own] of Object.entries(map).slice(0, MAX_VALUES)) {
    const language = key === NONE || key === '@none' ? NONE : (canonicalTag(key) ?? NONE);
    const text = texts(own).join('; ');
    if (text !== '' && !values.has(language) && values.size <= MAX_LANGUAGES) values.set(language, text);
  }
  return values;
}

/** The text for a language: in that language, without a language, or else the first one. */
export const inLanguage = (values: LanguageValues, language: string | null): string =>
  (language === null ? undefined : values.get(language)) ?? values.get(NONE) ?? values.values().next().value ?? '';

/** The first language of a label; null if it has none. */
export const firstLanguage = (values: LanguageValues): string | null =>
  [...values.keys()].find((key) => key !== NONE) ?? null;

/** The same text in all languages. */
export const unspoken = (text: string): LanguageValues => (text === '' ? EMPTY : new Map([[NONE, text]]));

/** A label and a value on one line, in each language of either. */
export function labeled(label: LanguageValues, value: LanguageValues, main: string | null): LanguageValues {
  if (value.size === 0) return EMPTY;
  if (label.size === 0) return value;
  const of = (language: string | null) => {
    const inOwn = (values: LanguageValues) =>
      (language === null ? undefined : values.get(language)) ?? inLanguage(values, main);
    return `${inOwn(label)}: ${inOwn(value)}`;
  };
  const languages = new Set([...label.keys(), ...value.keys()].filter((key) => key !== NONE));
  if (main !== null) languages.add(main);
  return languages.size === 0 ? unspoken(of(null)) : new Map([...languages].map((key) => [key, of(key)]));
}

/** Lines of text in the main language, and translated: lines without a translation stay in the main language. */
export function linesIn(
  lines: readonly LanguageValues[],
  main: string | null,
  most: number,
): { text: string; translated: Map<string, string> } {
  const joined = (language: string | null) => {
    const own = lines.map(
      (values) => (language === null ? undefined : values.get(language)) ?? inLanguage(values, main),
    );
    return [...new Set(own.filter(Boolean))].join('\n').slice(0, most).toWellFormed().trim();
  };
  const text = joined(main);
  const languages = new Set(lines.flatMap((values) => [...values.keys()]));
  const translated = new Map<string, string>();
  for (const language of languages) {
    if (language === NONE || language === main) continue;
    const own = joined(language);
    if (own !== text && translated.size < MAX_LANGUAGES) translated.set(language, own);
  }
  return { text, translated };
}
