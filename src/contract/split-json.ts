import { MAX_ITEM_BYTES } from './calls/imports.ts';

/** A value of a document as text, and the line on which it begins. */
export interface JsonPart {
  text: string;
  line: number;
}

/** Why a text is no JSON, and the line on which that shows. */
export class JsonError extends Error {
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

const linesIn = (text: string) => text.split('\n').length - 1;

const CUT_OFF = 'the file ends too early; it may be cut off';

/**
 * Takes a document apart while it arrives: the entries of a list, or values one after another. JSON.parse wants all of it;
 * parsers that don't are slower by far and tell no lines. Whether the parts are JSON is left to JSON.parse.
 */
class JsonSplitter {
  readonly #most: number;
  #line = 1;
  #state: 'start' | 'values' | 'list' | 'after' = 'start';
  #text = '';
  #count = 0;
  #depth = 0;
  #inString = false;
  #isEscaped = false;

  constructor(most: number) {
    this.#most = most;
  }

  #part(rest: string): JsonPart {
    const text = this.#text + rest;
    this.#text = '';
    this.#count++;
    return { text: text.trim(), line: this.#line - linesIn(text.trimStart()) };
  }

  /** Whether a sign outside of strings ends a value: behind it, or as a separator before which the value stands. */
  #endOf(sign: string): 'behind' | 'before' | null {
    if (sign === '{' || sign === '[') this.#depth++;
    if (sign === '"') this.#inString = true;
    if (this.#state === 'list' && this.#depth === 0 && (sign === ',' || sign === ']')) return 'before';
    if (this.#state === 'values' && this.#depth === 0 && sign === '\n') return 'before';
    if ((sign === '}' || sign === ']') && this.#depth > 0) this.#depth--;
    else return null;
    return this.#state === 'values' && this.#depth === 0 ? 'behind' : null;
  }

  /** The first sign tells whether it is a list. Gives whether it belongs to a value. */
  #begin(sign: string): boolean {
    if (sign.trim() === '') return false;
    if (this.#state === 'after') throw new JsonError('something stands behind the list', this.#line);
    this.#state = sign === '[' ? 'list' : 'values';
    return sign !== '[';
  }

  /** The values that end in this piece of the text. */
  *add(chunk: string): Generator<JsonPart> {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const sign = chunk[at]!;
      if (this.#inString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (sign === '\\') this.#isEscaped = true;
        else if (sign === '"') this.#inString = false;
      } else if ((this.#state === 'start' || this.#state === 'after') && !this.#begin(sign)) {
        from = at + 1;
      } else {
        const end = this.#endOf(sign);
        if (end) {
          const part = this.#part(chunk.slice(from, end === 'behind' ? at + 1 : at));
          from = at + 1;
          const isClosed = this.#state === 'list' && sign === ']';
          const isNone = part.text === '' && (this.#state === 'values' || (isClosed && this.#count === 1));
          if (isClosed) this.#state = 'after';
          if (!isNone) yield part;
        }
      }
      if (sign === '\n') this.#line++;
    }
    this.#text += chunk.slice(from);
    if (this.#text.length > this.#most)
      throw new JsonError(`use at most ${this.#most / 1024 / 1024} MB for each of them`, this.#line);
  }

  /** The last value. */
  *end(): Generator<JsonPart> {
    const isWithin = this.#depth > 0 || this.#inString;
    if (isWithin || this.#state === 'list' || this.#state === 'start') throw new JsonError(CUT_OFF, this.#line);
    if (this.#text.trim() !== '') yield this.#part('');
  }
}

/**
 * The values of a JSON document: the entries of a list, or one value after another, each on lines of its own.
 * @param most characters of a value
 * @throws JsonError when one of them is no JSON, or the document is cut off
 */
export async function* valuesOf(
  chunks: AsyncIterable<string>,
  most: number = MAX_ITEM_BYTES,
): AsyncGenerator<{ value: unknown; line: number }> {
  const splitter = new JsonSplitter(most);
  const read = ({ text, line }: JsonPart) => {
    try {
      return { value: JSON.parse(text) as unknown, line };
    } catch (error) {
      const { message } = error as Error;
      const at = /position (\d+)/.exec(message)?.[1];
      const [unexpected] = /^Unexpected token '.+?'/.exec(message) ?? ['a value is missing or not closed'];
      const reason = at === undefined ? unexpected : message.replace(/ \(line.*/, '');
      throw new JsonError(reason, line + linesIn(text.slice(0, Number(at ?? 0))));
    }
  };
  for await (const chunk of chunks) for (const part of splitter.add(chunk)) yield read(part);
  for (const part of splitter.end()) yield read(part);
}
