/** Texts that normalization leaves as they are: most tokens are. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;
/** Characters without a shape of their own, such as zero-width spaces, soft hyphens and byte order marks. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const SPACES = /\p{Zs}/gu;
/** Dashes and minus signs, which editors put in place of a hyphen. */
const DASHES = /[\p{Pd}\u02d7\u2043\u2212]/gu;

/**
 * The form in which access tokens are stored and compared: NFC, without invisible characters, with plain spaces and hyphens.
 * Two tokens that look the same on paper have one normal form; case matters.
 */
export const normalToken = (text: string): string =>
  PLAIN.test(text)
    ? text
    : text.replace(INVISIBLE, '').replace(SPACES, ' ').replace(DASHES, '-').normalize('NFC').trim();

/** The content of a cell such as `="00123458"`, by which exports keep spreadsheets from computing it. */
export const unwrappedCell = (cell: string): string =>
  /^="((?:[^"]|"")*)"$/.exec(cell)?.[1]?.replaceAll('""', '"') ?? cell;

const LATIN = /[a-z]/i;
const LOOK_ALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;

/** Whether a token mixes Latin letters with Cyrillic or Greek ones, many of which look the same. */
export const mixesAlphabets = (text: string): boolean => !PLAIN.test(text) && LATIN.test(text) && LOOK_ALIKE.test(text);

/** Significant digits that spreadsheets store of a number; what follows becomes zeros. */
const SHEET_DIGITS = 15;
const LONG_NUMBER = /^\d{16,}$/;
const ROUNDED = /^[1-9]\d{14}0+$/;

/** Whether numbers were rounded by a spreadsheet: all of those that are long enough end in zeros, which is no coincidence. */
export class RoundedNumbers {
  /** Zeros from which on it is no coincidence that all of them are. */
  static readonly #TELLING = 3;
  readonly #most: number;
  #zeros = 0;
  #isRefuted = false;
  /** Lines of the first of them. */
  readonly lines: number[] = [];
  count = 0;

  /** @param most lines that are named */
  constructor(most: number) {
    this.#most = most;
  }

  add(text: string, line: number): void {
    if (this.#isRefuted || !LONG_NUMBER.test(text)) return;
    // A number that begins with zeros was never a number in a spreadsheet.
    if (!ROUNDED.test(text)) {
      this.#isRefuted = true;
      return;
    }
    this.count++;
    this.#zeros += text.length - SHEET_DIGITS;
    if (this.lines.length < this.#most) this.lines.push(line);
  }

  get isCertain(): boolean {
    return !this.#isRefuted && this.#zeros >= RoundedNumbers.#TELLING;
  }
}

/** What damaged values begin with, so that most tokens need no closer look. */
const SUSPECT =
  /^[#<([]|^[-+]?[\d.]+(?:[.,]\d*)?\s?[eE][-+]?\d|^\d+[.,]0+$|^(?:n|u)|^\d{1,2}[-./ ]{1,2}\p{L}|^\p{L}{3,4}[-./ ]\d/iu;

const SCIENTIFIC = /^[-+]?(?:\d+[.,]\d*\s?e[-+]?\d{1,3}|\d+\s?e[-+]\d{1,3})$/i;
const NUMBER_WITH_DECIMALS = /^\d{6,}[.,]0{1,3}$/;
/** Error values, whatever the language of the spreadsheet. */
const ERROR_VALUE = /^#(?:n\/[abd]|nv|getting_data|#+|[¡¿]?[\p{L}_]+(?:\/0)?[!?])$/iu;
const NO_VALUE = /^(?:null|nan|nil|none|undefined|n\/a|\(null\)|\[null\]|<null>|\[object object\])$/i;
const MONTHS =
  'jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec|mrt|mei|okt|mär|mrz|mai|dez|janv|févr|fév|mars|avr|juin|juil|août|déc';
const DATE = new RegExp(
  `^(?:\\d{1,2}[-./ ]{1,2}(?:${MONTHS})\\.?(?:[-./ ]\\d{2,4})?|(?:${MONTHS})\\.?[-./ ]\\d{2})$`,
  'iu',
);

/**
 * Why a text is a value that a spreadsheet or an export has damaged, as a sentence; null where it may be a token. What the
 * token was can't be told from it.
 */
export function tokenDamage(text: string): string | null {
  if (!SUSPECT.test(text)) return null;
  if (SCIENTIFIC.test(text))
    return `A spreadsheet has shortened this number (${text}) and lost its digits. Format the column as text and export it again.`;
  if (ERROR_VALUE.test(text)) return `This is an error value of a spreadsheet (${text}), not a token.`;
  if (NO_VALUE.test(text)) return `This stands for a missing value (${text}), not a token.`;
  if (NUMBER_WITH_DECIMALS.test(text))
    return `A program has turned this token into a number with decimals (${text}). Format the column as text and export it again.`;
  if (DATE.test(text))
    return `A spreadsheet has turned this token into a date (${text}). Format the column as text and export it again.`;
  return null;
}
