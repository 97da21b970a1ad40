import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { plainCell } from '../../src/contract/csv-cell.ts';
import { shortText } from '../../src/contract/short-text.ts';
import { wrongError } from '../failure.ts';
import { fileNameOf, textOf } from './read-file.ts';

/** Maximum rows of a table that is read into memory. */
const MAX_ROWS = 100_000;

/** Maximum characters of a row. */
const MAX_ROW_LENGTH = 1024 * 1024;

/** Parser errors in our words. */
const REASONS: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'unclosed quotation mark',
  CSV_MAX_RECORD_SIZE: 'the row is longer than 1 MB; a quotation mark or a line break may be missing',
};

/** A CSV row by heading, and its first line. */
export interface CsvRow {
  line: number;
  cells: Record<string, string>;
}

const delimiterOf = (head: string): string =>
  [',', ';', '\t'].reduce((best, other) => (head.split(other).length > head.split(best).length ? other : best));

/** Characters examined to detect the delimiter. */
const CSV_HEAD_BYTES = 64 * 1024;

/** Yields the text with its first line in one chunk. */
async function* withHead(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let head: string | null = '';
  for await (const chunk of chunks) {
    if (head === null) yield chunk;
    else if ((head + chunk).includes('\n') || head.length > CSV_HEAD_BYTES) {
      yield head + chunk;
      head = null;
    } else head += chunk;
  }
  if (head !== null) yield head;
}

interface Parsed {
  record: string[];
  info: { lines: number };
}

/** The raw records of a table, heading first. */
async function* recordsOf(file: string): AsyncGenerator<Parsed> {
  const chunks = withHead(textOf(file));
  const { value: head = '' } = await chunks.next();
  const parser = parse({
    delimiter: delimiterOf(head.split('\n', 1)[0]!),
    relax_column_count: true,
    skip_empty_lines: true,
    info: true,
    // A file without line breaks is refused early.
    max_record_size: MAX_ROW_LENGTH,
  });
  const text = async function* () {
    yield head;
    yield* chunks;
  };
  // An error upstream also destroys the parser, and is thrown below.
  pipeline(Readable.from(text()), parser, () => {});
  yield* parser as AsyncIterable<Parsed>;
}

/**
 * Streams the rows of a CSV with headings: UTF-8, separated by commas, semicolons or tabs.
 * @param known allowed headings; others are rejected
 * @throws CliError with file and line
 */
export async function* rowsOf(file: string, known?: readonly string[]): AsyncGenerator<CsvRow> {
  const name = fileNameOf(file);
  const refuse = (line: number, reason: string): never => {
    throw wrongError(`${name} isn't a valid table.`, 'Correct this line, or export the table again.', [
      { file: name, line, reason },
    ]);
  };
  let names: string[] | undefined;
  try {
    for await (const { record, info } of recordsOf(file)) {
      if (!names) {
        names = record.map((cell) => cell.trim());
        for (const each of names) {
          if (known && !known.includes(each))
            refuse(1, `unknown column "${shortText(each)}"; the columns are ${known.join(', ')}`);
          if (names.indexOf(each) !== names.lastIndexOf(each)) refuse(1, `duplicate column "${shortText(each)}"`);
        }
        continue;
      }
      // The parser reports the line on which a row ends.
      const line = info.lines - record.join('').split('\n').length + 1;
      if (record.length > names.length)
        refuse(line, `the row has ${record.length} cells, but the heading has ${names.length}`);
      const cells = names.map((each, index) => [each, plainCell((record[index] ?? '').trim())]);
      yield { line, cells: Object.fromEntries(cells) };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = Number(error.lines ?? 1);
    refuse(line, REASONS[error.code] ?? shortText(error.message));
  }
  if (!names) refuse(1, 'the file is empty; its first line must contain the column names');
}

/**
 * Reads a CSV with headings into memory.
 * @param known allowed headings; others are rejected
 * @throws CliError with file and line, or if there are too many rows
 */
export async function readCsv(file: string, known?: readonly string[]): Promise<CsvRow[]> {
  const rows: CsvRow[] = [];
  for await (const row of rowsOf(file, known)) {
    rows.push(row);
    if (rows.length <= MAX_ROWS) continue;
    throw wrongError(`${fileNameOf(file)} has too many rows.`, `Use at most ${MAX_ROWS} rows per file.`, [
      { file: fileNameOf(file), line: row.line, reason: `use at most ${MAX_ROWS} rows per file` },
    ]);
  }
  return rows;
}
