import { MAX_ITEM_BYTES } from './file-limits.ts';

/** The text of a JSON value, and its first line number. */
export interface JsonPart {
  text: string;
  line: number;
}

/** Why a text is not valid JSON, and the line number. */
export class JsonError extends Error {
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

const linesIn = (text: string) => text.split('\n').length - 1;

const CUT_OFF = 'unexpected end of file; it may be truncated';

/**
 * Splits a JSON document as it arrives into array entries or consecutive values. JSON.parse needs the whole document;
 * streaming parsers are far slower and don't report line numbers. JSON.parse validates each part.
 */
class JsonSplitter {
  readonly #maxLength: number;
  #line = 1;
  #state: 'start' | 'values' | 'list' | 'after' = 'start';
  #text = '';
  #count = 0;
  #depth = 0;
  #inString = false;
  #isEscaped = false;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  #part(rest: string): JsonPart {
    const text = this.#text + rest;
    this.#text = '';
    this.#count++;
    return { text: text.trim(), line: this.#line - linesIn(text.trimStart()) };
  }

  /** Whether a character outside strings ends a value: after it, or as a separator, before it. */
  #endOf(char: string): 'after' | 'before' | null {
    if (char === '{' || char === '[') this.#depth++;
    if (char === '"') this.#inString = true;
    if (this.#state === 'list' && this.#depth === 0 && (char === ',' || char === ']')) return 'before';
    if (this.#state === 'values' && this.#depth === 0 && char === '\n') return 'before';
    if ((char === '}' || char === ']') && this.#depth > 0) this.#depth--;
    else return null;
    return this.#state === 'values' && this.#depth === 0 ? 'after' : null;
  }

  /**
   * Handles a character between values; the first decides whether the document is an array. Returns whether it belongs to a
   * value.
   */
  #begin(char: string): boolean {
    if (char.trim() === '') return false;
    if (this.#state === 'after') throw new JsonError('unexpected data after the list', this.#line);
    this.#state = char === '[' ? 'list' : 'values';
    return char !== '[';
  }

  /** Yields the values that end in this chunk. */
  *add(chunk: string): Generator<JsonPart> {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const char = chunk[at]!;
      if (this.#inString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (char === '\\') this.#isEscaped = true;
        else if (char === '"') this.#inString = false;
      } else if ((this.#state === 'start' || this.#state === 'after') && !this.#begin(char)) {
        from = at + 1;
      } else {
        const end = this.#endOf(char);
        if (end) {
          const part = this.#part(chunk.slice(from, end === 'after' ? at + 1 : at));
          from = at + 1;
          const isClosed = this.#state === 'list' && char === ']';
          const isNone = part.text === '' && (this.#state === 'values' || (isClosed && this.#count === 1));
          if (isClosed) this.#state = 'after';
          if (!isNone) yield part;
        }
      }
      if (char === '\n') this.#line++;
    }
    this.#text += chunk.slice(from);
    if (this.#text.length > this.#maxLength)
      throw new JsonError(`use at most ${this.#maxLength / 1024 / 1024} MB per item`, this.#line);
  }

  /** Yields the last value. */
  *end(): Generator<JsonPart> {
    const isWithin = this.#depth > 0 || this.#inString;
    if (isWithin || this.#state === 'list' || this.#state === 'start') throw new JsonError(CUT_OFF, this.#line);
    if (this.#text.trim() !== '') yield this.#part('');
  }
}

/**
 * Reads the values of a JSON document: the entries of an array, or consecutive values on separate lines.
 * @param most maximum characters per value
 * @throws JsonError if a value is invalid or the document is truncated
 */
export async function* valuesOf(
  chunks: AsyncIterable<string>,
  maxLength: number = MAX_ITEM_BYTES,
): AsyncGenerator<{ value: unknown; line: number }> {
  const splitter = new JsonSplitter(maxLength);
  const read = ({ text, line }: JsonPart) => {
    try {
      return { value: JSON.parse(text) as unknown, line };
    } catch (error) {
      const { message } = error as Error;
      const at = /position (\d+)/.exec(message)?.[1];
      const [unexpected] = /^Unexpected token '.+?'/.exec(message) ?? ['missing or incomplete value'];
      const reason = at === undefined ? unexpected : message.replace(/ \(line.*/, '');
      throw new JsonError(reason, line + linesIn(text.slice(0, Number(at ?? 0))));
    }
  };
  for await (const chunk of chunks) for (const part of splitter.add(chunk)) yield read(part);
  for (const part of splitter.end()) yield read(part);
}
