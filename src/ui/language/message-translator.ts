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
/** Words that follow a number, such as `{0} spaces`. */
const COUNTED = /^\{0\} [^.:]*\p{L}$/u;

/** Whole sentences; the values of others have no colons, which separate messages. */
const SENTENCE = /[.:?!] ?(?:\{\d+\})?$/;

const escaped = (text: string) => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
const literalLength = (text: string) => text.replace(/\{\d+\}/g, '').length;
const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function templateOf(text: string): Template {
  const parts = text.split(PLACE);
  const texts = parts.filter((_, at) => at % 2 === 0);
  const values = parts.flatMap((number, at) =>
    at % 2 === 0 ? [] : [{ number: Number(number), isName: /["“]$/.test(parts[at - 1]!) }],
  );
  const plain = COUNTED.test(text) ? String.raw`([\d.,]+)` : SENTENCE.test(text) ? '(.*?)' : '([^:;]*?)';
  const pattern = texts.map((part, at) => escaped(part) + (values[at] ? (values[at].isName ? '(.*?)' : plain) : ''));
  return { text, start: texts[0]!, end: texts.at(-1)!, pattern: new RegExp(`^${pattern.join('')}$`, 's'), values };
}

/** A language as the translator needs it. */
export interface Translations {
  language: string;
  /** Locale of numbers and dates. */
  locale: string;
  /** Translations of messages by their English templates. */
  messages: Readonly<Record<string, string>>;
  /** The translation of a text of the back-office, or the text itself. */
  translationOf(text: string): string;
}

/** Translates English messages, which it recognizes by their templates. */
export class MessageTranslator {
  readonly #of: Translations;
  /** Messages with values, the most specific first. */
  readonly #templates: readonly Template[];

  constructor(of: Translations) {
    this.#of = of;
    this.#templates = Object.keys(of.messages)
      .filter((text) => PLACE.test(text))
      .sort((one, other) => literalLength(other) - literalLength(one))
      .map(templateOf);
  }

  /** The translation of a message; unknown sentences stay as they are. */
  translate(text: string): string {
    return text === '' ? text : (this.#whole(text) ?? this.#bySentences(text));
  }

  /** The translation of a whole message; undefined if it is unknown. */
  #whole(text: string): string | undefined {
    const { messages, translationOf } = this.#of;
    const exact = messages[text] ?? translationOf(text);
    if (exact !== text) return exact;
    for (const { text: key, start, end, pattern, values } of this.#templates) {
      const found = text.startsWith(start) && text.endsWith(end) ? pattern.exec(text) : null;
      if (!found) continue;
      const said = values.map(({ isName }, at) => (isName ? found[at + 1]! : this.#value(found[at + 1]!)));
      const valueAt = (number: string) => said[values.findIndex((value) => value.number === Number(number))] ?? '';
      const made = messages[key]!.replace(/\{(\d+)\}/g, (_, number: string) => valueAt(number));
      // A value may have moved to the start of the sentence.
      return /^\p{Lu}/u.test(text) ? capitalized(made) : made;
    }
    return undefined;
  }

  /** A value in a message: a number, a date, a message itself, a list of words, or any text, which stays as it is. */
  #value(value: string): string {
    const { language, locale, messages, translationOf } = this.#of;
    if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(value)) return Number(value.replaceAll(',', '')).toLocaleString(locale);
    if (/^\p{Lu}\p{Ll}+ \d{1,2}, \d{4}$/u.test(value))
      return new Date(value).toLocaleDateString(locale, { dateStyle: 'long' });
    if (!/\p{L}{2}/u.test(value)) return value;
    const known = this.#whole(value) ?? this.#whole(`${value}.`)?.replace(/\.$/, '');
    if (known !== undefined) return known;
    // Sentences that begin with a lower-case "the" inside others.
    const inside = /^\p{Ll}/u.test(value) ? this.#whole(capitalized(value)) : undefined;
    if (inside !== undefined) return language === 'de' ? inside : inside.charAt(0).toLowerCase() + inside.slice(1);
    if (value.includes('; '))
      return value
        .split('; ')
        .map((part) => this.#value(part))
        .join('; ');
    const words = value.split(/( or | and |, )/);
    return words.length === 1
      ? this.#bySentences(value)
      : words.map((word) => messages[word] ?? translationOf(word)).join('');
  }

  /** The translation of each sentence that is known. */
  #bySentences(text: string): string {
    const sentences = text.split(/(?<=[.?!]) (?=[\p{Lu}“"])/u);
    for (let count = sentences.length - 1; count > 0; count--) {
      const first = this.#whole(sentences.slice(0, count).join(' '));
      if (first !== undefined) return `${first} ${this.translate(sentences.slice(count).join(' '))}`;
    }
    if (sentences.length > 1) return `${sentences[0]} ${this.translate(sentences.slice(1).join(' '))}`;
    const [, about, rest] = /^(.+?): (.+)$/s.exec(text) ?? [];
    const said = rest && this.#whole(rest);
    return said ? `${this.#value(about!)}${this.#of.language === 'fr' ? '\u00a0' : ''}: ${said}` : text;
  }
}
