import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';

/** Characters from which the delimiter is read. */
const TABLE_HEAD_BYTES = 64 * 1024;
/** Bytes that are read at a time. */
const SLICE = 256 * 1024;

/** Most characters of a line, other columns included. */
const MAX_LINE_LENGTH = 64 * 1024;
const TOO_LONG = 'this is longer than a line of tokens may be';

/** A row of a table: its cells without space around them, the line on which it begins, and whether all of them are empty. */
export interface CodeRow {
  cells: string[];
  line: number;
  isBlank: boolean;
}

/** Why a file is no table: a sentence for the person who sent it. */
export class TableError extends Error {}

const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13);

/** A cell without the spaces around it that are nothing unusual: others are reported. */
function trimmed(cell: string): string {
  let start = 0;
  let end = cell.length;
  while (start < end && isSpace(cell.charCodeAt(start))) start++;
  while (end > start && isSpace(cell.charCodeAt(end - 1))) end--;
  return start === 0 && end === cell.length ? cell : cell.slice(start, end);
}

/** A cell over several lines, as it is written on one. */
const inOneLine = (cell: string) =>
  cell.includes('\n')
    ? cell
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '')
        .join(' ')
    : cell;

/** Decodes UTF-8 as it arrives; one kind of line break makes lines countable, a byte order mark goes away. */
export function decodedText(file: string): AsyncIterable<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let held = '';
  const text = (chunk: Uint8Array | undefined) => {
    try {
      const all = held + (chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode());
      // A line break of two signs may arrive in halves.
      held = chunk && all.endsWith('\r') ? '\r' : '';
      return (held ? all.slice(0, -1) : all).replace(/\r\n?/g, '\n');
    } catch {
      throw new TableError('The file is not UTF-8. Save it as "CSV UTF-8" and send it again.');
    }
  };
  return (async function* () {
    for await (const chunk of createReadStream(file, { highWaterMark: SLICE })) yield text(chunk as Uint8Array);
    yield text(undefined);
  })();
}

/** What stands between the columns, and whether the first line only says so. */
interface Layout {
  delimiter: string;
  hasSepLine: boolean;
}

/** The first line of exports that name their delimiter, as spreadsheets understand it. */
const SEP_LINE = /^"?sep=(.)"?(?:\n|$)/i;

/** The delimiter that a table names, or whatever is in the most lines, outside of quotation marks. */
function layoutOf(text: string): Layout {
  const named = SEP_LINE.exec(text)?.[1];
  if (named !== undefined) return { delimiter: named, hasSepLine: true };
  const lines = text
    .slice(0, TABLE_HEAD_BYTES)
    .replace(/"[^"]*"/g, '')
    .split('\n');
  const count = (delimiter: string) => lines.filter((line) => line.includes(delimiter)).length;
  const delimiter = [';', '\t'].reduce((best, other) => (count(other) > count(best) ? other : best), ',');
  return { delimiter, hasSepLine: false };
}

async function layoutOfFile(file: string): Promise<Layout> {
  let head = '';
  for await (const text of decodedText(file)) {
    head += text;
    if (head.length >= TABLE_HEAD_BYTES) break;
  }
  return layoutOf(head);
}

/** A number with a decimal comma that a spreadsheet has shortened, as it lies between commas. */
const SPLIT_NUMBER = /(?:^|,)\s*[-+]?\d{1,3},\d+e[-+]\d/i;

/** Cells in which numbers with a decimal comma are whole again: what is left of one must not be taken for a token. */
function withDecimals(cells: string[]): string[] {
  const whole: string[] = [];
  for (const cell of cells) {
    const before = whole.at(-1);
    if (before !== undefined && /^[-+]?\d{1,3}$/.test(before) && /^\d+e[-+]\d+$/i.test(cell))
      whole[whole.length - 1] = `${before},${cell}`;
    else whole.push(cell);
  }
  return whole;
}

/** Rows of a file without quotation marks: every line is one. */
async function* plainRows(file: string, delimiter: string): AsyncGenerator<CodeRow[]> {
  let rest = '';
  let line = 0;
  const rowOf = (text: string): CodeRow => {
    line++;
    // Most lists have one column, in which there is nothing to split.
    if (!text.includes(delimiter)) {
      const cell = trimmed(text);
      return { cells: [cell], line, isBlank: cell.trim() === '' };
    }
    const isSplit = delimiter === ',' && SPLIT_NUMBER.test(text);
    const parts = text.split(delimiter).map(trimmed);
    const cells = isSplit ? withDecimals(parts) : parts;
    return { cells, line, isBlank: cells[0]!.trim() === '' && text.replaceAll(delimiter, '').trim() === '' };
  };
  for await (const text of decodedText(file)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    yield lines.map(rowOf);
    if (rest.length > MAX_LINE_LENGTH) throw new TableError(`Line ${line + 1}: ${TOO_LONG}.`);
  }
  if (rest !== '') yield [rowOf(rest)];
}

const QUOTE_INSIDE =
  'a quotation mark stands in a cell without quotation marks around it; write "" for one inside a cell';

/** What the parser finds wrong. */
const FAULTS: Partial<Record<CsvError['code'], string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quotation mark is not closed',
  INVALID_OPENING_QUOTE: QUOTE_INSIDE,
  CSV_INVALID_CLOSING_QUOTE: 'something stands behind a closing quotation mark; write "" for one inside a cell',
  CSV_MAX_RECORD_SIZE: TOO_LONG,
};

/** Rows as they are collected: the parser gives them one by one. */
const CSV_BATCH = 5000;

/**
 * Text in which cells such as `="00123458"` are quoted as CSV asks for: exports write them so that spreadsheets leave them alone.
 * Lines stay in one piece.
 */
async function* withQuotedFormulas(file: string, delimiter: string): AsyncGenerator<string> {
  const sign = delimiter === '\t' ? '\\t' : `\\${delimiter}`;
  const formula = new RegExp(`(^|${sign}|\\n)(="[^"\\n]*")(?=${sign}|\\n|$)`, 'g');
  let rest = '';
  const quoted = (text: string) =>
    text.includes('="')
      ? text.replace(formula, (_, before: string, cell: string) => `${before}"${cell.replaceAll('"', '""')}"`)
      : text;
  for await (const text of decodedText(file)) {
    const all = rest + text;
    const end = all.lastIndexOf('\n') + 1;
    rest = all.slice(end);
    yield quoted(all.slice(0, end));
    if (rest.length > MAX_LINE_LENGTH) {
      yield rest;
      rest = '';
    }
  }
  yield quoted(rest);
}

/** Rows of a file in which cells may be quoted, and may hold line breaks then. */
async function* quotedRows(file: string, delimiter: string): AsyncGenerator<CodeRow[]> {
  // The parser runs ahead of what is read from it, so lines are noted where it finds them.
  let begins = 1;
  const parser = parse<CodeRow, string[]>({
    // The types of csv-parse let a record become another type only where its first line names columns.
    columns: false as unknown as true,
    delimiter,
    record_delimiter: '\n',
    relax_column_count: true,
    max_record_size: MAX_LINE_LENGTH,
    on_record: (record: string[], { lines }): CodeRow => {
      const line = begins;
      begins = lines + 1;
      const cells = record.map((cell) => trimmed(inOneLine(cell)));
      return {
        cells: delimiter === ',' ? withDecimals(cells) : cells,
        line,
        isBlank: cells.every((cell) => cell.trim() === ''),
      };
    },
  });
  let batch: CodeRow[] = [];
  try {
    // What fails before the parser fails the parser, and is thrown here.
    const rows = pipeline(
      Readable.from(withQuotedFormulas(file, delimiter)),
      parser,
      () => {},
    ) as AsyncIterable<CodeRow>;
    for await (const row of rows) {
      if (batch.push(row) < CSV_BATCH) continue;
      yield batch;
      batch = [];
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // What was read before is what a beginning of a file has.
    if (batch.length > 0) yield batch;
    const fault = FAULTS[error.code] ?? "this can't be read";
    throw new TableError(`Line ${begins}: ${fault}.`);
  }
  yield batch;
}

/**
 * The rows of a CSV on disk, a part at a time: UTF-8 with or without byte order mark, columns between commas, semicolons,
 * tabs, or what its first line names (`sep=`). No more than a part of it is ever held.
 * @param isQuoted whether there is a quotation mark anywhere in it
 * @throws TableError
 */
export async function* codeRows(file: string, isQuoted: boolean): AsyncGenerator<CodeRow[]> {
  const { delimiter, hasSepLine } = await layoutOfFile(file);
  for await (const rows of (isQuoted ? quotedRows : plainRows)(file, delimiter))
    yield hasSepLine && rows[0]?.line === 1 ? rows.slice(1) : rows;
}
