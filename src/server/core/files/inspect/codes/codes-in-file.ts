import { createReadStream } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { email as emailText } from '../../../../../contract/calls/users.ts';
import { plainCell } from '../../../../../contract/csv-cell.ts';
import { type ImportTable, tokenText } from '../../../../../contract/entities.ts';
import { MAX_TOKEN_FILE_BYTES } from '../../../../../contract/file-limits.ts';
import { normalToken, RoundedNumbers, tokenDamage, unwrapCell } from '../../../../../contract/token-text.ts';
import type { CodeLine } from './code-line.ts';
import { type CodeRow, codeRows, TableError } from './code-rows.ts';
import { documentCodes, isDocument } from './document-codes.ts';
import { isTotal, tokenRank } from './heading-names.ts';
import { refuseCodes } from './refuse-codes.ts';
import { readPlan, type TableChoice, type TablePlan } from './table-plan.ts';

/** Maximum number of codes in a file. */
const MAX_ROWS = 2_000_000;
/** Maximum number of invalid rows listed individually. */
const MAX_NAMED_FAULTS = 20;
/** Maximum lengths in characters; longer cells are cut. */
const HOLDER_NAME = 255;
const GROUP = 80;
const NOTE = 500;
const QUOTE = '"'.charCodeAt(0);

/** Valid codes that need no further checks: most are. */
const SIMPLE = /^[!-~]{1,255}$/;

/** Why a code is invalid, phrased to follow its line number; null if it is valid. */
function faultOf({ code, fault }: CodeLine): string | null {
  if (fault) return fault;
  const damage = tokenDamage(code);
  if (damage) return `: ${damage}`;
  if (SIMPLE.test(code)) return null;
  const result = tokenText.safeParse(code);
  return result.success ? null : `: ${result.error.issues[0]!.message}`;
}

async function hasQuotes(file: string): Promise<boolean> {
  for await (const chunk of createReadStream(file)) if ((chunk as Buffer).includes(QUOTE)) return true;
  return false;
}

/** Why a row isn't a code although its cell could be one. @param first line that may look like a heading */
function strayFault({ cells, line }: CodeRow, code: string, first: number): string | undefined {
  if (line !== first && tokenRank(code) !== null) return `: This looks like a heading (${code}). Remove the line.`;
  if (isTotal(code) || (/^[\d.,\s]{0,10}$/.test(code) && cells.some(isTotal)))
    return ': This looks like a total, not a token. Remove the line.';
  return undefined;
}

/** Matches headings and totals, so that most rows need no further checks. */
const STRAY =
  /code|token|ticket|billet|secret|\bpins?\b|qr|number|nummer|num[eé]ro|sleutel|schl[uü]ssel|jeton|voucher|coupon|gutschein|\bbons?\b|seri|r[eé]f|tot|sum|gesamt|som|count|aantal|anzahl|nombre|^[\d.,\s]{0,10}$|^[\d.,]+ /iu;

/** The email address in a cell, normalized; null if there is none. */
function emailIn(cell: string): string | null {
  const { data } = emailText.safeParse(normalToken(cell));
  return data ?? null;
}

/** Whether a table has columns about the holders. */
export const hasHolderColumns = ({ name, email, group, note }: TablePlan): boolean =>
  name.length > 0 || (email ?? group ?? note) !== null;

/** The codes of a table, read with a column mapping. */
export async function* codesIn(file: string, isQuoted: boolean, plan: TablePlan): AsyncGenerator<CodeLine[]> {
  const { column, first, skipTo, name, email, group: inGroup, note: inNote } = plan;
  const hasHolders = hasHolderColumns(plan);
  const textIn = (cells: readonly string[], index: number | null, most: number) =>
    index === null ? '' : normalToken(plainCell(unwrapCell(cells[index] ?? ''))).slice(0, most);
  // An empty cell leaves an existing token's value unchanged.
  const holderIn = (cells: readonly string[]) => {
    const holder_name = normalToken(name.map((index) => cells[index] ?? '').join(' ')).slice(0, HOLDER_NAME);
    const holder_email = email === null ? null : emailIn(cells[email] ?? '');
    const [group, note] = [textIn(cells, inGroup, GROUP), textIn(cells, inNote, NOTE)];
    const holder = { ...(holder_name && { holder_name }), ...(holder_email && { holder_email }) };
    return { ...holder, ...(group && { group }), ...(note && { note }) };
  };
  for await (const rows of codeRows(file, isQuoted)) {
    yield rows
      .filter(({ isBlank, line }) => !isBlank && line > skipTo)
      .map((row): CodeLine => {
        const { cells, line } = row;
        const cell = cells[column] ?? '';
        const text = plainCell(unwrapCell(cell));
        const code = normalToken(text);
        const fault = STRAY.test(code) ? strayFault(row, code, first) : undefined;
        return {
          code,
          line,
          ...(hasHolders && { fields: holderIn(cells) }),
          ...((code !== text || (cell !== text && cell.startsWith('='))) && { isNormalized: true }),
          ...(fault && { fault }),
        };
      });
    // Yields to the event loop: files can be long.
    await nextTurn();
  }
}

export async function* codesInDocument(file: string): AsyncGenerator<CodeLine[]> {
  for await (const part of documentCodes(file)) {
    yield part;
    await nextTurn();
  }
}

/** A checked file: its column mapping, or the question how to read it. */
export interface CheckedCodes {
  /** Column mapping; null for JSON, or if ambiguous. */
  plan: TablePlan | null;
  /** The first rows of a table; null for JSON. */
  table: ImportTable | null;
  /** Whether a table contains a quotation mark. */
  isQuoted: boolean;
}

/** Rejects a file with invalid codes, too many rows, or none. */
async function checkCodes(parts: AsyncIterable<CodeLine[]>): Promise<void> {
  const faults: string[] = [];
  const rounded = new RoundedNumbers(MAX_NAMED_FAULTS);
  let wrong = 0;
  let rows = 0;
  for await (const part of parts) {
    rows += part.length;
    if (rows > MAX_ROWS) throw refuseCodes('too_large', `Use at most ${MAX_ROWS} tokens per file.`);
    for (const entry of part) {
      rounded.add(entry.code, entry.line);
      const fault = faultOf(entry);
      if (fault && ++wrong <= MAX_NAMED_FAULTS) faults.push(`Line ${entry.line}${fault}`);
    }
  }
  if (wrong === 0 && rounded.isCertain) {
    const { lines, count } = rounded;
    const sentence =
      'A spreadsheet has rounded this number to 15 digits: all long numbers in the file end in zeros. Format the column as text and export it again.';
    wrong = count;
    faults.push(...lines.map((line) => `Line ${line}: ${sentence}`));
  }
  const more = wrong - MAX_NAMED_FAULTS;
  if (wrong > 0) throw refuseCodes('invalid', ...faults, ...(more > 0 ? [`${more} more lines contain no token.`] : []));
  if (rows === 0) throw refuseCodes('invalid', 'The file contains no tokens.');
}

/** Rows used to detect the column mapping. */
const DETECTION_ROWS = 200;

async function firstRows(file: string, isQuoted: boolean): Promise<CodeRow[]> {
  const found: CodeRow[] = [];
  for await (const rows of codeRows(file, isQuoted)) {
    found.push(...rows.filter(({ isBlank }) => !isBlank).slice(0, DETECTION_ROWS - found.length));
    if (found.length >= DETECTION_ROWS) break;
  }
  // Compared in the form in which they will be stored.
  return found.map((row) => ({ ...row, cells: row.cells.map((cell) => normalToken(plainCell(unwrapCell(cell)))) }));
}

/** Bytes used to detect the file type. */
const SIGNATURE_BYTES = 1024;

/** Rejects binary files, and web pages saved with a spreadsheet's extension. */
async function refuseOtherKinds(file: string): Promise<void> {
  let head = Buffer.alloc(0);
  for await (const chunk of createReadStream(file, { end: SIGNATURE_BYTES - 1 }))
    head = Buffer.concat([head, chunk as Buffer]);
  const start = head.subarray(0, 4).toString('latin1');
  if (start === 'PK\u0003\u0004' || start === '\u00d0\u00cf\u0011\u00e0')
    throw new TableError('This is a spreadsheet. Save it as "CSV UTF-8" and send that file.');
  if (start === '%PDF') throw new TableError('This is a PDF. Send a CSV file.');
  const text = head.toString('utf8').replace(/^\ufeff?\s*/, '');
  if (/^<(?:!doctype|!--|\?xml|html|head|body|table|meta|style|div|tr|workbook)\b/i.test(text))
    throw new TableError(
      'This is a web page (HTML or XML), which some systems save with the extension .xls. Open it in a spreadsheet, save it as "CSV UTF-8" and send that file.',
    );
}

/** Errors for damaged tokens, if the column is known and only the heading is ambiguous. */
const damagedLines = (rows: readonly CodeRow[], column: number): string[] =>
  rows.flatMap(({ cells, line }) => {
    const damage = tokenDamage(cells[column] ?? '');
    return damage ? [`Line ${line}: ${damage}`] : [];
  });

/** A file of codes to check, whether it may be JSON, and the user's choices. */
interface CodesFile {
  file: string;
  bytes: number;
  mayHaveTimes: boolean;
  choice?: TableChoice;
  /** Whether to check only the first rows. */
  isHeadOnly?: boolean;
}

/**
 * Checks a whole file of codes.
 * @throws ApiError naming the lines without a valid code
 */
export async function checkCodesFile({
  file,
  bytes,
  mayHaveTimes,
  choice = {},
  isHeadOnly,
}: CodesFile): Promise<CheckedCodes> {
  try {
    await refuseOtherKinds(file);
    if (await isDocument(file)) {
      if (!mayHaveTimes) throw refuseCodes('bad_file', 'This is JSON. Send a CSV, or import it as access tokens.');
      if (!isHeadOnly) await checkCodes(codesInDocument(file));
      return { plan: null, table: null, isQuoted: false };
    }
    if (bytes > MAX_TOKEN_FILE_BYTES.table)
      throw refuseCodes('too_large', `Use tables of at most ${MAX_TOKEN_FILE_BYTES.table / 1024 / 1024} MB.`);
    const isQuoted = await hasQuotes(file);
    const rows = await firstRows(file, isQuoted);
    const { plan, table } = readPlan(rows, choice);
    if (isHeadOnly) return { plan, table, isQuoted };
    if (plan) await checkCodes(codesIn(file, isQuoted, plan));
    else if (table.column !== null) {
      const damaged = damagedLines(rows, table.column - 1);
      if (damaged.length > 0) throw refuseCodes('invalid', ...damaged.slice(0, MAX_NAMED_FAULTS));
    }
    return { plan, table, isQuoted };
  } catch (error) {
    throw error instanceof TableError ? refuseCodes('bad_file', error.message) : error;
  }
}
