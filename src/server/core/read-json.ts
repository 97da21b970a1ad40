/** Most objects and lists within one another. Elements of a room are nested in 32 levels at most, each of which takes two. */
const MAX_LEVELS = 100;
/**
 * Most values of what is read where requests are answered, and most in one object. A room of a thousand elements has some
 * 60,000; half a million in objects that are all different take a quarter of a second to read.
 */
const MAX_VALUES = 400_000;
const MAX_NAMES = 10_000;

/** Bytes that parts of JSON take at most once they are read: each object and list, each name, and each value. */
const BYTES = { opening: 64, name: 120, value: 32 } as const;

const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const COLON = 0x3a;
const COMMA = 0x2c;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** JSON that is nested too deep, or of too many parts. */
export class TooComplex extends SyntaxError {}

/** Where the string ends that begins at a quote; the end of the text where it does not end. */
function endOfString(text: string, quote: number): number {
  let at = quote;
  for (;;) {
    at = text.indexOf('"', at + 1);
    if (at < 0) return text.length;
    let before = at - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    // Backslashes in pairs stand for themselves.
    if ((at - before) % 2 === 1) return at;
  }
}

/** How much JSON may be read. */
interface Room {
  /**
   * Bytes that it may take once it is read, where reading it keeps nobody waiting. A thread that runs out of memory while it
   * reads JSON takes the whole server with it. Left out where requests are answered: there the number of values is bounded.
   */
  memory?: number;
}

/** Counts the parts of a text of JSON, and stops where there are too many. */
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
      if (this.#bytes > this.#memory) throw new TooComplex('The JSON takes too much memory to read; make it simpler.');
      return;
    }
    if (namesOfObject > MAX_NAMES) throw new TooComplex(`The JSON has an object with more than ${MAX_NAMES} names.`);
    if (this.#values > MAX_VALUES)
      throw new TooComplex(`The JSON has more than ${MAX_VALUES} values. Send it in several parts.`);
  }
}

/**
 * Refuses a text of JSON that would take too long to read, or too much memory, or that what reads it cannot follow. It is told
 * from the text, as what walks a value of thousands of levels ends in an overflow.
 * @throws TooComplex
 */
export function refuseComplex(text: string, room: Room = {}): void {
  /** Names so far in the objects around the place. */
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
        if (++level > MAX_LEVELS)
          throw new TooComplex(`The JSON has more than ${MAX_LEVELS} objects and lists within one another.`);
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

/** How JSON is read. */
interface Reading extends Room {
  /** As JSON.parse takes it. */
  reviver?: ((key: string, value: unknown) => unknown) | undefined;
}

/**
 * What a text of JSON says that somebody sent.
 * @throws TooComplex, or another SyntaxError when it is no JSON
 */
export function readJson(text: string, { reviver, ...room }: Reading = {}): unknown {
  refuseComplex(text, room);
  return JSON.parse(text, reviver);
}
