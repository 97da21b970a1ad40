import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';

/** Characters from which the delimiter is read. */
const TABLE_HEAD_BYTES = 64 * 1024;
/** Bytes that are read at a time. */
const SLICE = 256 * 1024;

/** Most characters of a line, other columns included. */
const LONGEST_LINE = 64 * 1024;
const TOO_LONG = 'this is longer than a line of tokens may be';

/** A row of a table: its first cell as it stands, the line on which it begins, and whether all its cells are empty. */
export interface CodeRow {
  cell: string;
  line: number;
  isBlank: boolean;
}

/** Why a file is no table: a sentence for the person who sent it. */
export class TableError extends Error {}

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

/** What stands between the columns: whatever is in the most lines, outside of quotation marks. */
function delimiterOf(text: string): string {
  const lines = text
    .slice(0, TABLE_HEAD_BYTES)
    .replace(/"[^"]*"/g, '')
    .split('\n');
  const count = (delimiter: string) => lines.filter((line) => line.includes(delimiter)).length;
  return [';', '\t'].reduce((best, other) => (count(other) > count(best) ? other : best), ',');
}

async function delimiterOfFile(file: string): Promise<string> {
  let head = '';
  for await (const text of decodedText(file)) {
    head += text;
    if (head.length >= TABLE_HEAD_BYTES) break;
  }
  return delimiterOf(head);
}

/** Columns of tables that are exported: what they name is no list of codes. */
const HEADING_COLUMNS = new Set([
  ...['id', 'token', 'code', 'name', 'title', 'path', 'email', 'room', 'description', 'template', 'is_active', 'type'],
  ...[
    'valid_from',
    'valid_till',
    'valid_duration',
    'first_used_at',
    'updated_at',
    'width',
    'height',
    'depth',
    'duration',
  ],
]);

/** The heading that a table begins with, as it names its columns; null where its first line may be a code. */
export async function headingOf(file: string): Promise<string | null> {
  let head = '';
  for await (const text of decodedText(file)) {
    head += text;
    if (head.includes('\n') || head.length >= TABLE_HEAD_BYTES) break;
  }
  const line = head.split('\n', 1)[0]!;
  const cells = line.split(delimiterOf(line)).map((cell) =>
    cell
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .toLowerCase(),
  );
  const known = cells.filter((cell) => HEADING_COLUMNS.has(cell)).length;
  const isHeading = cells.length === 1 ? ['token', 'code', 'tokens', 'codes'].includes(cells[0]!) : known >= 2;
  return isHeading ? cells.join(', ').slice(0, 200) : null;
}

/** Rows of a file without quotation marks: every line is one. */
async function* plainRows(file: string, delimiter: string): AsyncGenerator<CodeRow[]> {
  let rest = '';
  let line = 0;
  const rowOf = (text: string): CodeRow => {
    const end = text.indexOf(delimiter);
    const cell = end < 0 ? text : text.slice(0, end);
    const isBlank = cell.trim() === '' && text.replaceAll(delimiter, '').trim() === '';
    return { cell, line: ++line, isBlank };
  };
  for await (const text of decodedText(file)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    yield lines.map(rowOf);
    if (rest.length > LONGEST_LINE) throw new TableError(`Line ${line + 1}: ${TOO_LONG}.`);
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
    max_record_size: LONGEST_LINE,
    on_record: (cells: string[], { lines }): CodeRow => {
      const line = begins;
      begins = lines + 1;
      return { cell: inOneLine(cells[0]!), line, isBlank: cells.every((cell) => cell.trim() === '') };
    },
  });
  let batch: CodeRow[] = [];
  try {
    // What fails before the parser fails the parser, and is thrown here.
    const rows = pipeline(Readable.from(decodedText(file)), parser, () => {}) as AsyncIterable<CodeRow>;
    for await (const row of rows) {
      if (batch.push(row) < CSV_BATCH) continue;
      yield batch;
      batch = [];
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const fault = FAULTS[error.code] ?? "this can't be read";
    throw new TableError(`Line ${begins}: ${fault}.`);
  }
  yield batch;
}

/**
 * The rows of a CSV on disk, a part at a time: UTF-8 with or without byte order mark, columns between commas, semicolons or
 * tabs. No more than a part of it is ever held.
 * @param isQuoted whether there is a quotation mark anywhere in it
 * @throws TableError
 */
export async function* codeRows(file: string, isQuoted: boolean): AsyncGenerator<CodeRow[]> {
  const delimiter = await delimiterOfFile(file);
  yield* (isQuoted ? quotedRows : plainRows)(file, delimiter);
}
