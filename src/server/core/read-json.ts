/** Maximum nesting depth. Elements are nested at most 32 levels deep, with two JSON levels each. */
const MAX_LEVELS = 100;
/**
 * Maximum number of values parsed in the request thread, and in one object. A room of a thousand elements has about
 * 60,000; half a million in objects of different shapes take a quarter of a second to parse.
 */
const MAX_VALUES = 400_000;
const MAX_NAMES = 10_000;

/** Maximum memory in bytes per parsed object or array, key, and value. */
const BYTES = { opening: 64, name: 120, value: 32 } as const;

const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const COLON = 0x3a;
const COMMA = 0x2c;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** JSON with too much nesting or too many values. */
export class TooComplex extends SyntaxError {}

/** Index of a string's closing quote; the text's end if it is unterminated. */
function endOfString(text: string, quote: number): number {
  let at = quote;
  for (;;) {
    at = text.indexOf('"', at + 1);
    if (at < 0) return text.length;
    let before = at - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    // Backslashes in pairs escape each other.
    if ((at - before) % 2 === 1) return at;
  }
}

/** Limits for parsing JSON. */
interface Room {
  /**
   * Maximum memory in bytes once parsed, for worker threads. A thread that runs out of memory while parsing JSON
   * crashes the whole server. Undefined in the request thread, where the number of values is limited.
   */
  memory?: number;
}

/** Counts the tokens of a JSON text and stops at the limit. */
class Parts {
  readonly #memory: number | undefined;
  #bytes: number;
  #values = 0;

  constructor({ memory }: Room, length: number) {
    this.#memory = memory;
    this.#bytes = length;
  }

  add(part: keyof typeof BYTES, namesOfObject = 0): void {
    this.#bytes += BYTES[part];
    if (part !== 'name') this.#values++;
    if (this.#memory !== undefined) {
      if (this.#bytes > this.#memory) throw new TooComplex('The JSON takes too much memory to parse. Simplify it.');
      return;
    }
    if (namesOfObject > MAX_NAMES) throw new TooComplex(`The JSON has an object with more than ${MAX_NAMES} keys.`);
    if (this.#values > MAX_VALUES) throw new TooComplex(`The JSON has more than ${MAX_VALUES} values. Split it.`);
  }
}

/**
 * Rejects JSON that would take too much time or memory to parse, or too much stack to traverse. It scans the text,
 * because walking a value with thousands of levels overflows the stack.
 * @throws TooComplex
 */
export function refuseComplex(text: string, room: Room = {}): void {
  /** Number of keys so far in each enclosing object. */
  const names = new Uint32Array(MAX_LEVELS + 1);
  const parts = new Parts(room, text.length);
  let level = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (++level > MAX_LEVELS) throw new TooComplex(`The JSON is nested more than ${MAX_LEVELS} levels deep.`);
        names[level] = 0;
        parts.add('opening');
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        if (level > 0) level--;
        break;
      case COLON:
        parts.add('name', ++names[level]!);
        break;
      case COMMA:
        parts.add('value');
        break;
    }
  }
}

/** Options for parsing JSON. */
interface Reading extends Room {
  /** As in JSON.parse. */
  reviver?: ((key: string, value: unknown) => unknown) | undefined;
}

/**
 * Parses untrusted JSON.
 * @throws TooComplex, or another SyntaxError if it is invalid
 */
export function readJson(text: string, { reviver, ...room }: Reading = {}): unknown {
  refuseComplex(text, room);
  return JSON.parse(text, reviver);
}
