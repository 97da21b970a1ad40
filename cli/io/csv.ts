import { CsvError, parse } from 'csv-parse/sync';
import { csvCell, plainCell } from '../../src/contract/csv-cell.ts';
import { wrongError } from '../failure.ts';
import { nameOf, readText } from './read-file.ts';

/** Most rows of a table that is read as a whole. */
const MOST_ROWS = 100_000;

/** A row of a CSV by its headings, and the line on which it begins. */
export interface CsvRow {
  line: number;
  cells: Record<string, string>;
}

/** Rows as CSV with a heading; cells that spreadsheets would compute are defused. */
export function csvText(columns: readonly string[], rows: readonly Record<string, unknown>[]): string {
  const cell = (value: unknown) => csvCell(value === null || value === undefined ? '' : String(value));
  const lines = rows.map((row) => columns.map((name) => cell(row[name])).join(','));
  return [columns.map(csvCell).join(','), ...lines, ''].join('\r\n');
}

const delimiterOf = (head: string): string =>
  [',', ';', '\t'].reduce((best, other) => (head.split(other).length > head.split(best).length ? other : best));

/**
 * Reads a CSV with headings: UTF-8, columns between commas, semicolons or tabs.
 * @param known headings that it may have; others are refused
 * @throws CliError naming file and line
 */
export async function readCsv(file: string, known?: readonly string[]): Promise<CsvRow[]> {
  const name = nameOf(file);
  const text = await readText(file);
  const refuse = (line: number, reason: string): never => {
    throw wrongError(`${name} can not be read as a table.`, 'Correct this line, or export the table again.', [
      { file: name, line, reason },
    ]);
  };
  let records: { record: string[]; info: { lines: number } }[];
  try {
    records = parse(text, {
      delimiter: delimiterOf(text.split('\n', 1)[0]!),
      relax_column_count: true,
      skip_empty_lines: true,
      info: true,
    }) as unknown as typeof records;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = Number((error as unknown as { lines?: number }).lines ?? 1);
    return refuse(line, error.code === 'CSV_QUOTE_NOT_CLOSED' ? 'a quotation mark is not closed' : error.message);
  }
  const [head, ...rows] = records;
  if (!head) return refuse(1, 'the file is empty; its first line must name the columns');
  const names = head.record.map((cell) => cell.trim());
  for (const each of names) {
    if (known && !known.includes(each)) refuse(1, `there is no column "${each}"; the columns are ${known.join(', ')}`);
    if (names.indexOf(each) !== names.lastIndexOf(each)) refuse(1, `the column "${each}" is there twice`);
  }
  if (rows.length > MOST_ROWS) refuse(MOST_ROWS, `use at most ${MOST_ROWS} rows in a file`);
  return rows.map(({ record, info }) => {
    // The parser tells the line on which a row ends.
    const line = info.lines - record.join('').split('\n').length + 1;
    if (record.length > names.length)
      refuse(line, `the row has ${record.length} cells, the heading ${names.length} columns`);
    return {
      line,
      cells: Object.fromEntries(names.map((each, index) => [each, plainCell((record[index] ?? '').trim())])),
    };
  });
}
