/** Maximum length of a language tag. */
const MAX_TAG = 35;
/** Maximum number of languages of a space besides its main one. */
export const MAX_LANGUAGES = 20;

/** The canonical form of a BCP 47 language tag, such as `pt-BR`; undefined for anything else. */
export function canonicalTag(tag: string): string | undefined {
  try {
    return tag.length > MAX_TAG ? undefined : Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

/** Languages that a space offers: its main one first, if it states one, and further ones. */
export const offeredLanguages = (config: {
  language?: string | undefined;
  languages?: readonly string[] | undefined;
}): string[] => [
  ...new Set([...(config.language === undefined ? [] : [config.language]), ...(config.languages ?? [])]),
];

/** Writing direction of texts in a language, for `dir`; empty for an unknown language. */
export function directionOfTag(tag: string): 'ltr' | 'rtl' | '' {
  const canonical = canonicalTag(tag);
  if (canonical === undefined) return '';
  const { script } = new Intl.Locale(canonical).maximize();
  return script !== undefined && RTL_SCRIPTS.has(script) ? 'rtl' : 'ltr';
}

/** Scripts written from right to left, as ISO 15924 codes (Unicode Standard Annex #9, bidirectional classes R and AL). */
const RTL_SCRIPTS: ReadonlySet<string> = new Set([
  'Adlm',
  'Arab',
  'Hebr',
  'Mand',
  'Nkoo',
  'Rohg',
  'Samr',
  'Syrc',
  'Thaa',
]);

/** Name of a language in a language, such as that language itself; the tag if it is unknown or private. */
export function languageName(tag: string, inLanguage: string): string {
  try {
    return new Intl.DisplayNames([inLanguage], { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** The language of a tag without region and script: `pt` of `pt-BR`. */
const baseOf = (tag: string): string => tag.split('-')[0]!;

/** The likely script of a canonical tag: `Hant` of `zh-TW`. */
const scriptOf = (tag: string): string | undefined => new Intl.Locale(tag).maximize().script;

/** Whether a tag has no more than a language and a script. */
const isGeneral = (tag: string): boolean => {
  const { language, script } = new Intl.Locale(tag);
  return [language, script].filter(Boolean).join('-') === tag;
};

/** A tag and its truncations (RFC 4647, 3.4): `zh-Hant-TW`, `zh-Hant`, `zh`. */
function* truncations(tag: string): Generator<string> {
  yield tag;
  const shorter = tag.replace(/(?:-[a-z\d])?-[^-]+$/i, '');
  if (shorter !== tag) yield* truncations(shorter);
}

/**
 * Chooses one of the available languages for the first wanted one that has any (RFC 4647, lookup): an exact match or a
 * truncation, otherwise another one with the same base language. One in the same script is preferred, then one without a
 * region.
 * @param wanted tags in order of preference; malformed ones are ignored
 * @param available canonical tags
 */
export function chosenLanguage(wanted: readonly string[], available: readonly string[]): string | undefined {
  for (const tag of wanted) {
    const canonical = canonicalTag(tag);
    if (canonical === undefined) continue;
    if (available.includes(canonical)) return canonical;
    const related = available.filter((each) => baseOf(each) === baseOf(canonical));
    const script = scriptOf(canonical);
    const readable = related.filter((each) => scriptOf(each) === script);
    const offered = readable.length > 0 ? readable : related;
    const match = [...truncations(canonical)].find((each) => offered.includes(each));
    const choice = match ?? offered.find(isGeneral) ?? offered[0];
    if (choice !== undefined) return choice;
  }
  return undefined;
}
