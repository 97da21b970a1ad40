import { UNITS_PER_METER } from '../../../engine/document/constants.ts';

/** How a number is written, where the document has it otherwise. */
export type NumberUnit = 'units' | 'degrees';

/** What one of each stands for, in units of a room, or in degrees. */
const FACTORS: Record<NumberUnit, Readonly<Record<string, number>>> = {
  units: { mm: UNITS_PER_METER / 1000, cm: UNITS_PER_METER / 100, m: UNITS_PER_METER, units: 1, unit: 1, u: 1 },
  degrees: { '°': 1, deg: 1, degrees: 1, rad: 180 / Math.PI, turn: 360 },
};

const SIGNS: Readonly<Record<string, string>> = { '−': '-', '×': '*', '÷': '/' };

type Token = { kind: 'number'; value: number } | { kind: 'word' | 'sign'; text: string };

function tokensOf(text: string): Token[] | null {
  const tokens: Token[] = [];
  const matcher =
    /\s*(?:(\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)(?:[.,]\d*)?|\d+(?:[.,]\d*)?(?:e[+-]?\d+)?|[.,]\d+(?:e[+-]?\d+)?)|([a-z]+|°)|([-+*/()−×÷]))/iy;
  const end = text.trimEnd().length;
  while (matcher.lastIndex < end) {
    const match = matcher.exec(text);
    if (!match) return null;
    const [, number, word, sign] = match;
    // Half of the world reads `1,000` as one, the other half as a thousand.
    if (number && /^[1-9]\d{0,2},\d{3}$/.test(number)) return null;
    if (number) tokens.push({ kind: 'number', value: Number(number.replace(/\s/g, '').replace(',', '.')) });
    else if (word) tokens.push({ kind: 'word', text: word.toLowerCase() });
    else tokens.push({ kind: 'sign', text: SIGNS[sign!] ?? sign! });
  }
  return tokens;
}

/** Reads a calculation, with the usual precedence; NaN where it is none. */
class Calculation {
  readonly #tokens: readonly Token[];
  readonly #factors: Readonly<Record<string, number>>;
  #at = 0;

  constructor(tokens: readonly Token[], factors: Readonly<Record<string, number>>) {
    this.#tokens = tokens;
    this.#factors = factors;
  }

  get result(): number {
    const value = this.#sum();
    return this.#at === this.#tokens.length ? value : Number.NaN;
  }

  /** Takes a sign that comes next; undefined where another one does. */
  #take(...signs: string[]): string | undefined {
    const next = this.#tokens[this.#at];
    if (next?.kind !== 'sign' || !signs.includes(next.text)) return undefined;
    this.#at++;
    return next.text;
  }

  #sum(): number {
    let value = this.#product();
    for (let sign = this.#take('+', '-'); sign; sign = this.#take('+', '-'))
      value += (sign === '-' ? -1 : 1) * this.#product();
    return value;
  }

  #product(): number {
    let value = this.#signed();
    for (let sign = this.#take('*', '/'); sign; sign = this.#take('*', '/'))
      value = sign === '*' ? value * this.#signed() : value / this.#signed();
    return value;
  }

  #signed(): number {
    const sign = this.#take('+', '-');
    return sign ? (sign === '-' ? -1 : 1) * this.#signed() : this.#measured();
  }

  /** A number or a bracket, with the unit behind it. */
  #measured(): number {
    const value = this.#bare();
    const next = this.#tokens[this.#at];
    if (next?.kind !== 'word') return value;
    this.#at++;
    return value * (this.#factors[next.text] ?? Number.NaN);
  }

  #bare(): number {
    const next = this.#tokens[this.#at];
    if (next?.kind === 'number') {
      this.#at++;
      return next.value;
    }
    if (!this.#take('(')) return Number.NaN;
    const value = this.#sum();
    return this.#take(')') ? value : Number.NaN;
  }
}

/**
 * The number that a text stands for: one with a point or a comma, or a space between thousands, a calculation such as `-300+50`, a measure such as
 * `2m` or `90°`.
 * @param unit what a number without a word is in
 * @returns undefined where it is no number
 */
export function numberIn(text: string, unit?: NumberUnit): number | undefined {
  const tokens = tokensOf(text);
  if (!tokens || tokens.length === 0) return undefined;
  const { result } = new Calculation(tokens, unit ? FACTORS[unit] : {});
  return Number.isFinite(result) ? result : undefined;
}

/** Digits behind the point that are shown, of angles and of others. */
const DIGITS = { degrees: 2, units: 4 } as const;

/** Digits behind the point that are shown. */
export const digitsOf = (unit?: NumberUnit): number => DIGITS[unit ?? 'units'];

/** A number as it is written. */
export const numberText = (value: number, digits: number = DIGITS.units): string =>
  String(Number(value.toFixed(digits)));

const DEGREE = Math.PI / 180;

/** A number of the document as people read it. */
export const readIn = (value: number, unit?: NumberUnit): number => (unit === 'degrees' ? value / DEGREE : value);

/** What is wrong with a number, by its limits; null for none. All as people read it. */
export function limitProblem(value: number, min: number | null, max: number | null): string | undefined {
  if (min !== null && value < min) return `Must be ${numberText(min, 2)} or more.`;
  if (max !== null && value > max) return `Must be ${numberText(max, 2)} or less.`;
  return undefined;
}

/** A number that people read as the document has it. */
export const writtenIn = (value: number, unit?: NumberUnit): number => (unit === 'degrees' ? value * DEGREE : value);

/** Said where something was typed that is no number, and no calculation. */
export const NO_NUMBER = 'Enter a number, such as 20 or 300+50.';
