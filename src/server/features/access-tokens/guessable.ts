/** Possibilities per valid code below which codes can be guessed, at the pace at which attempts are let through. */
export const ENOUGH = 1_000_000;
/** Number of codes from which on the signs that occur at a place are taken for all that may occur there. */
const FEW_ATTEMPTS = 100;

/** Kinds of signs, and how many there are of each. */
const CHARACTER_SETS: readonly [RegExp, number][] = [
  [/[0-9]/, 10],
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
];

/** How many signs may stand at a place of which these are known. */
function choices(signs: ReadonlySet<string>, count: number): number {
  // What is the same in all codes, such as a prefix, is no secret.
  if (count >= FEW_ATTEMPTS || (signs.size === 1 && count > 1)) return signs.size;
  let known = 0;
  let size = 0;
  for (const [kind, number] of CHARACTER_SETS) {
    const found = [...signs].filter((sign) => kind.test(sign)).length;
    known += found;
    if (found > 0) size += number;
  }
  return size + signs.size - known;
}

/** Codes of one length from which on more of them tell nothing new about which signs occur. */
const ENOUGH_OF_A_LENGTH = 20_000;

/** What codes look like, learned one by one, so that a list of them need not be held. */
export class CodeLooks {
  readonly #lengths = new Map<number, { count: number; places: Set<string>[] }>();

  /** Learns from a part of a list. A code that is in it twice counts once. */
  learn(part: readonly { code: string }[]): void {
    const telling = part.filter(({ code }) => (this.#lengths.get(code.length)?.count ?? 0) < ENOUGH_OF_A_LENGTH);
    for (const code of new Set(telling.map(({ code }) => code))) this.#add(code);
  }

  #add(code: string): void {
    let seen = this.#lengths.get(code.length);
    if (!seen) {
      seen = { count: 0, places: Array.from({ length: code.length }, () => new Set<string>()) };
      this.#lengths.set(code.length, seen);
    }
    seen.count++;
    for (let place = 0; place < code.length; place++) seen.places[place]!.add(code[place]!);
  }

  /** How many codes there may be that look like these: for each length, the product of what may stand at each place. */
  possibilities(): number {
    let sum = 0;
    for (const { count, places } of this.#lengths.values())
      sum += places.reduce((product, signs) => product * choices(signs, count), 1);
    return Math.min(sum, Number.MAX_SAFE_INTEGER);
  }
}

/**
 * A warning about codes that can be guessed, with the figure; null for codes that cannot.
 * @param perCode possibilities for each valid code
 */
export function guessableWarning(perCode: number): string | null {
  if (perCode >= ENOUGH) return null;
  const advice = 'Use longer ones of random letters and digits.';
  const figure = Math.floor(perCode);
  if (figure <= 1) return `These tokens are easy to guess. ${advice}`;
  const shown = new Intl.NumberFormat('en').format(figure);
  return `These tokens are easy to guess: one in about ${shown} that look like them is valid. ${advice}`;
}
