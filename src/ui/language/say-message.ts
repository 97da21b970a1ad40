import { language, locale, messages, translationOf } from './language.ts';
import { numberText } from './say.ts';

/** A message with values, as it is recognized. */
interface Template {
  text: string;
  start: string;
  end: string;
  pattern: RegExp;
  /** Numbers of the values in their order, and whether each is a name in quotation marks. */
  values: { number: number; isName: boolean }[];
}

const PLACE = /\{(\d+)\}/;
/** Words that follow a number, such as `{0} spaces`; their value is a number. */
const COUNTED = /^\{0\} (?!.*[.:]).* ?\p{L}$/u;
const escaped = (text: string) => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');

function templateOf(text: string): Template {
  const parts = text.split(PLACE);
  const texts = parts.filter((_, at) => at % 2 === 0);
  const values = parts.flatMap((number, at) =>
    at % 2 === 0 ? [] : [{ number: Number(number), isName: /["“]$/.test(parts[at - 1]!) }],
  );
  const any = COUNTED.test(text) ? String.raw`([\d.,]+)` : '(.*?)';
  const pattern = new RegExp(`^${texts.map(escaped).join(any)}$`, 's');
  return { text, start: texts[0]!, end: texts.at(-1)!, pattern, values };
}

const literalLength = (text: string) => text.replace(/\{\d+\}/g, '').length;

let templates: readonly Template[] | undefined;

/** All messages with values, the most specific first. */
function templatesOf(): readonly Template[] {
  templates ??= Object.keys(messages)
    .filter((text) => PLACE.test(text))
    .sort((one, other) => literalLength(other) - literalLength(one))
    .map(templateOf);
  return templates;
}

/** The translation of a whole message; undefined if it is unknown. */
function wholeTranslation(text: string): string | undefined {
  const exact = messages[text] ?? translationOf(text);
  if (exact !== text) return exact;
  for (const { text: key, start, end, pattern, values } of templatesOf()) {
    if (!text.startsWith(start) || !text.endsWith(end)) continue;
    const found = pattern.exec(text);
    if (!found) continue;
    const said = new Map(
      values.map(({ number, isName }, at) => [number, isName ? found[at + 1]! : valueTranslation(found[at + 1]!)]),
    );
    const made = messages[key]!.replace(/\{(\d+)\}/g, (_, number: string) => said.get(Number(number)) ?? '');
    // A value may have moved to the start of the sentence.
    return /^\p{Lu}/u.test(text) ? made.charAt(0).toUpperCase() + made.slice(1) : made;
  }
  return undefined;
}

/** A value in a message: a number, a date, a message itself, a list of words, or any text, which stays as it is. */
function valueTranslation(value: string): string {
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(value)) return numberText(Number(value.replaceAll(',', '')));
  if (/^\p{Lu}\p{Ll}+ \d{1,2}, \d{4}$/u.test(value))
    return new Date(value).toLocaleDateString(locale, { dateStyle: 'long' });
  if (!/\p{L}{2}/u.test(value)) return value;
  const known = wholeTranslation(value) ?? wholeTranslation(`${value}.`)?.replace(/\.$/, '');
  if (known !== undefined) return known;
  const capitalized = value.charAt(0).toUpperCase() + value.slice(1);
  const inside = capitalized === value ? undefined : wholeTranslation(capitalized);
  if (inside !== undefined) return language === 'de' ? inside : inside.charAt(0).toLowerCase() + inside.slice(1);
  const words = value.split(/( or | and |, )/);
  return words.length === 1 ? sentencesTranslation(value) : words.map((word) => messages[word] ?? word).join('');
}

/** The translation of each sentence that is known. */
function sentencesTranslation(text: string): string {
  const sentences = text.split(/(?<=[.?!]) (?=[\p{Lu}“"])/u);
  for (let count = sentences.length - 1; count > 0; count--) {
    const first = wholeTranslation(sentences.slice(0, count).join(' '));
    if (first !== undefined) return `${first} ${sayMessage(sentences.slice(count).join(' '))}`;
  }
  if (sentences.length > 1) return `${sentences[0]} ${sayMessage(sentences.slice(1).join(' '))}`;
  const [, about, rest] = /^(.+?): (.+)$/s.exec(text) ?? [];
  const said = rest && wholeTranslation(rest);
  return said ? `${valueTranslation(about!)}${language === 'fr' ? '\u00a0' : ''}: ${said}` : text;
}

/**
 * A message of the server, the contract or the document in the page's language: an error, a report, a finding. The server
 * writes English; messages are recognized by their templates in `messages`. Unknown ones stay as they are.
 */
export const sayMessage = (text: string): string =>
  language === 'en' || text === '' ? text : (wholeTranslation(text) ?? sentencesTranslation(text));
