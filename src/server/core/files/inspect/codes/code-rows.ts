import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';

/** Characters used to detect the delimiter. */
const TABLE_HEAD_BYTES = 64 * 1024;
/** Bytes per read. */
const SLICE = 256 * 1024;

/** Maximum line length in characters, all columns included. */
const MAX_LINE_LENGTH = 64 * 1024;
const TOO_LONG = 'the line is too long for an access token';

/** A table row: trimmed cells, the number of its first line, and whether all cells are empty. */
export interface CodeRow {
  cells: string[];
  line: number;
  isBlank: boolean;
}

/** Why a file is not a valid table; the message is a sentence for the sender. */
export class TableError extends Error {}

const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13);

/** Trims ordinary spaces around a cell; other ones are reported. */
function trimmed(cell: string): string {
  let start = 0;
  let end = cell.length;
  while (start < end && isSpace(cell.charCodeAt(start))) start++;
  while (end > start && isSpace(cell.charCodeAt(end - 1))) end--;
  return start === 0 && end === cell.length ? cell : cell.slice(start, end);
}

/** Joins a multi-line cell into one line. */
const inOneLine = (cell: string) =>
  cell.includes('\n')
    ? cell
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '')
        .join(' ')
    : cell;

/** Decodes UTF-8 as a stream; normalizes line breaks so that lines can be counted, and removes the byte order mark. */
export function decodedText(file: string): AsyncIterable<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let held = '';
  const text = (chunk: Uint8Array | undefined) => {
    try {
      const all = held + (chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode());
      // CRLF may be split between chunks.
      held = chunk && all.endsWith('\r') ? '\r' : '';
      return (held ? all.slice(0, -1) : all).replace(/\r\n?/g, '\n');
    } catch {
      throw new TableError('The file isn\'t encoded as UTF-8. Save it as "CSV UTF-8" and send it again.');
    }
  };
  return (async function* () {
    for await (const chunk of createReadStream(file, { highWaterMark: SLICE })) yield text(chunk as Uint8Array);
    yield text(undefined);
  })();
}

/** The delimiter, and whether the first line only declares it. */
interface Layout {
  delimiter: string;
  hasSepLine: boolean;
}

/** A first line that declares the delimiter, as spreadsheets understand it. */
const SEP_LINE = /^"?sep=(.)"?(?:\n|$)/i;

/** A table's declared delimiter, or the one found on the most lines, outside of quotation marks. */
export function layoutOf(text: string): Layout {
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

/** A number with a decimal comma in scientific notation, split at the comma. */
const SPLIT_NUMBER = /(?:^|,)\s*[-+]?\d{1,3},\d+e[-+]\d/i;

/** Rejoins numbers with a decimal comma, so that a fragment isn't mistaken for a token. */
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

/** Rows of a file without quotation marks: one per line. */
async function* plainRows(file: string, delimiter: string): AsyncGenerator<CodeRow[]> {
  let rest = '';
  let line = 0;
  const rowOf = (text: string): CodeRow => {
    line++;
    // Most lists have one column, so there is nothing to split.
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

const QUOTE_INSIDE = 'quotation mark in an unquoted cell; quote the cell and write "" for a quotation mark';

/** Texts for the parser's errors. */
const FAULTS: Partial<Record<CsvError['code'], string>> = {
  CSV_QUOTE_NOT_CLOSED: 'unclosed quotation mark',
  INVALID_OPENING_QUOTE: QUOTE_INSIDE,
  CSV_INVALID_CLOSING_QUOTE: 'text after a closing quotation mark; write "" for a quotation mark in a cell',
  CSV_MAX_RECORD_SIZE: TOO_LONG,
};

/** Rows per batch: the parser emits them one by one. */
const CSV_BATCH = 5000;

/**
 * Quotes cells such as `="00123458"` as CSV requires: exports write them to prevent conversion by spreadsheets. Line
 * numbers stay the same.
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

/** Rows of a file with quoted cells, which may contain line breaks. */
async function* quotedRows(file: string, delimiter: string): AsyncGenerator<CodeRow[]> {
  // The parser reads ahead of its consumer, so line numbers are recorded as it finds them.
  let begins = 1;
  const parser = parse<CodeRow, string[]>({
    // csv-parse's types allow a different record type only if the first line names columns.
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
    // A failure of an earlier stage fails the parser, and is thrown here.
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
    // A truncated file still yields the rows before the cut.
    if (batch.length > 0) yield batch;
    const fault = FAULTS[error.code] ?? "it can't be parsed";
    throw new TableError(`Line ${begins}: ${fault}.`);
  }
  yield batch;
}

/**
 * Rows of a CSV file on disk in batches: UTF-8 with or without byte order mark, columns separated by commas,
 * semicolons, tabs, or the delimiter declared in the first line (`sep=`). Memory holds no more than a batch.
 * @param isQuoted whether the file contains a quotation mark
 * @throws TableError
 */
export async function* codeRows(file: string, isQuoted: boolean): AsyncGenerator<CodeRow[]> {
  const { delimiter, hasSepLine } = await layoutOfFile(file);
  for await (const rows of (isQuoted ? quotedRows : plainRows)(file, delimiter))
    yield hasSepLine && rows[0]?.line === 1 ? rows.slice(1) : rows;
}
