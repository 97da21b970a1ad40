/** Texts that normalization doesn't change, which includes most tokens. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;
/** Characters without a glyph, such as zero-width spaces, soft hyphens and byte order marks. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const SPACES = /\p{Zs}/gu;
/** Dashes and minus signs that text editors substitute for hyphens. */
const DASHES = /[\p{Pd}\u02d7\u2043\u2212]/gu;

/**
 * Normalizes an access token for storage and comparison: NFC, no invisible characters, plain spaces and hyphens. Tokens
 * that look the same in print normalize to the same text; case matters.
 */
export const normalToken = (text: string): string =>
  PLAIN.test(text)
    ? text
    : text.replace(INVISIBLE, '').replace(SPACES, ' ').replace(DASHES, '-').normalize('NFC').trim();

/** Unwraps a cell such as `="00123458"`, which exports use to prevent spreadsheets from evaluating it. */
export const unwrapCell = (cell: string): string =>
  /^="((?:[^"]|"")*)"$/.exec(cell)?.[1]?.replaceAll('""', '"') ?? cell;

const LATIN = /[a-z]/i;
const LOOK_ALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;

/** Whether a token mixes Latin letters with Cyrillic or Greek ones, many of which look the same. */
export const mixesAlphabets = (text: string): boolean => !PLAIN.test(text) && LATIN.test(text) && LOOK_ALIKE.test(text);

/** Significant digits of a number in spreadsheets; the rest become zeros. */
const SHEET_DIGITS = 15;
const LONG_NUMBER = /^\d{16,}$/;
const ROUNDED = /^[1-9]\d{14}0+$/;

/** Detects numbers rounded by a spreadsheet: if every long number ends in zeros, it isn't a coincidence. */
export class RoundedNumbers {
  /** Minimum total of trailing zeros to rule out a coincidence. */
  static readonly #MIN_ZEROS = 3;
  readonly #maxLines: number;
  #zeros = 0;
  #isRefuted = false;
  /** Line numbers of the first rounded values. */
  readonly lines: number[] = [];
  count = 0;

  /** @param maxLines maximum line numbers to record */
  constructor(maxLines: number) {
    this.#maxLines = maxLines;
  }

  add(text: string, line: number): void {
    if (this.#isRefuted || !LONG_NUMBER.test(text)) return;
    // Spreadsheets drop leading zeros, so a number with leading zeros was stored as text.
    if (!ROUNDED.test(text)) {
      this.#isRefuted = true;
      return;
    }
    this.count++;
    this.#zeros += text.length - SHEET_DIGITS;
    if (this.lines.length < this.#maxLines) this.lines.push(line);
  }

  get isCertain(): boolean {
    return !this.#isRefuted && this.#zeros >= RoundedNumbers.#MIN_ZEROS;
  }
}

/** Fast check for prefixes of damaged values, so most tokens skip the detailed checks. */
const SUSPECT =
  /^[#<([]|^[-+]?[\d.]+(?:[.,]\d*)?\s?[eE][-+]?\d|^\d+[.,]0+$|^(?:n|u)|^\d{1,2}[-./ ]{1,2}\p{L}|^\p{L}{3,4}[-./ ]\d/iu;

const SCIENTIFIC = /^[-+]?(?:\d+[.,]\d*\s?e[-+]?\d{1,3}|\d+\s?e[-+]\d{1,3})$/i;
const NUMBER_WITH_DECIMALS = /^\d{6,}[.,]0{1,3}$/;
/** Error values in any spreadsheet language. */
const ERROR_VALUE = /^#(?:n\/[abd]|nv|getting_data|#+|[¡¿]?[\p{L}_]+(?:\/0)?[!?])$/iu;
const NO_VALUE = /^(?:null|nan|nil|none|undefined|n\/a|\(null\)|\[null\]|<null>|\[object object\])$/i;
const MONTHS =
  'jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec|mrt|mei|okt|mär|mrz|mai|dez|janv|févr|fév|mars|avr|juin|juil|août|déc';
const DATE = new RegExp(
  `^(?:\\d{1,2}[-./ ]{1,2}(?:${MONTHS})\\.?(?:[-./ ]\\d{2,4})?|(?:${MONTHS})\\.?[-./ ]\\d{2})$`,
  'iu',
);

/**
 * Why a value can't be a token: a spreadsheet or an export has damaged it, and the original can't be recovered.
 * @returns a sentence; null if it may be a token
 */
export function tokenDamage(text: string): string | null {
  if (!SUSPECT.test(text)) return null;
  if (SCIENTIFIC.test(text))
    return `A spreadsheet has abbreviated this number (${text}) and lost its digits. Format the column as text and export it again.`;
  if (ERROR_VALUE.test(text)) return `This is a spreadsheet error value (${text}), not a token.`;
  if (NO_VALUE.test(text)) return `This is a placeholder for a missing value (${text}), not a token.`;
  if (NUMBER_WITH_DECIMALS.test(text))
    return `A program has converted this token to a decimal number (${text}). Format the column as text and export it again.`;
  if (DATE.test(text))
    return `A spreadsheet has converted this token to a date (${text}). Format the column as text and export it again.`;
  return null;
}
