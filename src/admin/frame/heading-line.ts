/** Bytes of a table that are looked at. */
const HEAD_BYTES = 16 * 1024;
/** Tokens that a first line is compared with, at least and at most. */
const COMPARED = { least: 3, most: 100 };

/** What the first column of a list of access tokens is called, in small letters, with spaces between words. */
const NAMES = new Set([
  ...['token', 'tokens', 'access token', 'access tokens', 'code', 'codes', 'access code'],
  ...['barcode', 'voucher', 'id', 'name', 'first name', 'last name', 'email', 'e mail', 'number'],
]);

/** The first line of a table where it seems to be a heading. */
export interface HeadingLine {
  /** What stands in its first cell. */
  text: string;
  /** Whether it has a name that columns have; otherwise it only looks other than what is below it. */
  isNamed: boolean;
  /** Bytes of the line, without its end. */
  bytes: number;
}

const firstCell = (line: string, delimiter: string): string =>
  line
    .split(delimiter, 1)[0]!
    .trim()
    .replace(/^"(.*)"$/, '$1');

const delimiterOf = (line: string): string => [';', '\t'].find((sign) => line.includes(sign)) ?? ',';

/** Whether a first line is unlike those below it, which are like each other. */
function isUnlike(first: string, others: readonly string[]): boolean {
  if (others.length < COMPARED.least) return false;
  const digit = /\d/;
  if (!digit.test(first) && others.every((other) => digit.test(other))) return true;
  return others.every((other) => other.length === others[0]!.length) && first.length !== others[0]!.length;
}

/**
 * Looks whether a list of access tokens begins with a heading.
 * @returns null where its first line is a token like the others, and for JSON
 */
export async function readHeadingLine(file: File): Promise<HeadingLine | null> {
  const head = await file.slice(0, HEAD_BYTES).text();
  const isCut = file.size > HEAD_BYTES;
  // The byte order mark of spreadsheets is no part of the text that is decoded.
  const lines = head.split(/\r\n|\r|\n/);
  const first = lines[0]!;
  const quotes = first.split('"').length - 1;
  // A cell in quotation marks may go on in the next line.
  if (/^\s*[[{]/.test(first) || quotes % 2 === 1 || (isCut && lines.length < 2)) return null;
  const delimiter = delimiterOf(first);
  const text = firstCell(first, delimiter);
  if (text === '') return null;
  const others = lines
    .slice(1, isCut ? -1 : undefined)
    .map((line) => firstCell(line, delimiter))
    .filter((cell) => cell !== '')
    .slice(0, COMPARED.most);
  const isNamed = NAMES.has(text.toLowerCase().replace(/[\s_-]+/g, ' '));
  if (!isNamed && !isUnlike(text, others)) return null;
  const mark = new Uint8Array(await file.slice(0, 3).arrayBuffer());
  const hasMark = mark[0] === 0xef && mark[1] === 0xbb && mark[2] === 0xbf;
  return { text, isNamed, bytes: new TextEncoder().encode(first).length + (hasMark ? 3 : 0) };
}

/** A table with an empty line in the place of its heading: empty lines are left out, and lines keep their numbers. */
export const withoutHeading = (file: File, { bytes }: HeadingLine): File =>
  new File([file.slice(bytes)], file.name, { type: file.type });
