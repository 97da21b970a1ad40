/** Placeholders of an e-mail's subject and text, in the order of the help. */
export const PLACEHOLDERS = [
  'name',
  'link',
  'structure',
  'valid_from',
  'valid_till',
  'group',
  'note',
  'token',
] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];

/** What the placeholders of an e-mail stand for; missing values are empty. */
export type Recipient = Record<Placeholder, string>;

/** A word in braces. */
const BRACED = /\{([\p{L}\w-]{1,40})\}/gu;

const isPlaceholder = (word: string): word is Placeholder => (PLACEHOLDERS as readonly string[]).includes(word);

/** The words in braces that are no placeholders, each once. */
export const unknownPlaceholders = (text: string): string[] => [
  ...new Set([...text.matchAll(BRACED)].map(([, word]) => word!).filter((word) => !isPlaceholder(word))),
];

/** A text with its placeholders filled in. Values that look like placeholders stay as they are. */
export const fillIn = (text: string, recipient: Recipient): string =>
  text.replace(BRACED, (braced, word: string) => (isPlaceholder(word) ? recipient[word] : braced));

/** A subject with its placeholders filled in, on one line whatever the values contain. */
export const fillInLine = (subject: string, recipient: Recipient): string =>
  fillIn(subject, recipient)
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .trim();

/**
 * A moment as a recipient reads it, such as "1 December 2026 at 18:00 CET"; empty if there is none.
 * @param zone IANA time zone
 */
export function momentFor(moment: string | null, language: string, zone: string): string {
  if (moment === null) return '';
  const locale = language === 'en' ? 'en-GB' : language;
  const format = new Intl.DateTimeFormat(locale, {
    ...{ day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' },
    ...{ timeZone: zone, timeZoneName: 'short' },
  });
  return format.format(new Date(moment));
}
