import { csvCell } from '../../src/contract/csv-cell.ts';

const csvLine = (columns: readonly string[], row: Record<string, unknown>): string =>
  columns.map((name) => csvCell(String(row[name] ?? ''))).join(',');

/** Streams rows as CSV with a heading; cells that spreadsheets would evaluate are escaped. */
export async function* csvLines(
  columns: readonly string[],
  rows: Iterable<Record<string, unknown>> | AsyncIterable<Record<string, unknown>>,
): AsyncGenerator<string> {
  yield `${columns.map(csvCell).join(',')}\r\n`;
  for await (const row of rows) yield `${csvLine(columns, row)}\r\n`;
}
