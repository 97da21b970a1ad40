/** Most objects and lists within one another. Elements of a room are nested in 32 levels at most, each of which takes two. */
export const MOST_LEVELS = 100;

const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Whether objects and lists of a text are nested deeper than what reads them follows. It is told from the text, as what
 * walks a value of thousands of levels ends in an overflow.
 */
export function isTooDeep(text: string): boolean {
  let level = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) {
      for (at++; at < text.length && text.charCodeAt(at) !== QUOTE; at++) if (text.charCodeAt(at) === BACKSLASH) at++;
      continue;
    }
    if ((sign === OPEN_LIST || sign === OPEN_OBJECT) && ++level > MOST_LEVELS) return true;
    if (sign === CLOSE_LIST || sign === CLOSE_OBJECT) level--;
  }
  return false;
}

/** JSON that is nested too deep. */
export class TooDeep extends SyntaxError {
  constructor() {
    super(`The JSON has more than ${MOST_LEVELS} objects and lists within one another.`);
  }
}

/**
 * What a text of JSON says that somebody sent.
 * @param reviver as JSON.parse takes it
 * @throws TooDeep, or another SyntaxError when it is no JSON
 */
export function readJson(text: string, reviver?: (key: string, value: unknown) => unknown): unknown {
  if (isTooDeep(text)) throw new TooDeep();
  return JSON.parse(text, reviver);
}
