import { UNITS_PER_METER } from '../../../engine/document/constants.ts';

/** Display unit of a number that has another unit in the document. */
export type NumberUnit = 'units' | 'degrees';

/** Factors to room units or degrees. */
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
    // `1,000` is ambiguous: a decimal comma in some locales, a thousands separator in others.
    if (number && /^[1-9]\d{0,2},\d{3}$/.test(number)) return null;
    if (number) tokens.push({ kind: 'number', value: Number(number.replace(/\s/g, '').replace(',', '.')) });
    else if (word) tokens.push({ kind: 'word', text: word.toLowerCase() });
    else tokens.push({ kind: 'sign', text: SIGNS[sign!] ?? sign! });
  }
  return tokens;
}

/** Parser for arithmetic with the usual precedence; returns NaN for invalid input. */
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

  /** Consumes the next character if it is one of these signs. */
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

  /** A number or parenthesized expression, with an optional unit. */
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
 * Parses a number: with a decimal point or comma, spaces between thousands, as a calculation such as `-300+50`, or with
 * a unit such as `2m` or `90°`.
 * @param unit default unit
 * @returns undefined if it is not a number
 */
export function numberIn(text: string, unit?: NumberUnit): number | undefined {
  const tokens = tokensOf(text);
  if (!tokens || tokens.length === 0) return undefined;
  const { result } = new Calculation(tokens, unit ? FACTORS[unit] : {});
  return Number.isFinite(result) ? result : undefined;
}

/** Displayed decimal places of angles and of other numbers. */
const DIGITS = { degrees: 2, units: 4 } as const;

export const digitsOf = (unit?: NumberUnit): number => DIGITS[unit ?? 'units'];

export const numberText = (value: number, digits: number = DIGITS.units): string =>
  String(Number(value.toFixed(digits)));

const DEGREE = Math.PI / 180;

/** Converts a number from document units to display units. */
export const readIn = (value: number, unit?: NumberUnit): number => (unit === 'degrees' ? value / DEGREE : value);

/** Error text for a number outside its limits; null means no limit. All in display units. */
export function limitProblem(value: number, min: number | null, max: number | null): string | undefined {
  if (min !== null && value < min) return `Must be ${numberText(min, 2)} or more.`;
  if (max !== null && value > max) return `Must be ${numberText(max, 2)} or less.`;
  return undefined;
}

/** Converts a number from display units to document units. */
export const writtenIn = (value: number, unit?: NumberUnit): number => (unit === 'degrees' ? value * DEGREE : value);

/** Error text for input that is neither a number nor a calculation. */
export const NO_NUMBER = 'Enter a number, such as 20 or 300+50.';
