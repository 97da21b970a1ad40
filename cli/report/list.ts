import { Option } from 'commander';
import { csvLines } from '../io/csv-lines.ts';
import { jsonList, writeOutput } from '../io/write-output.ts';

/** Output options of a list. */
export interface ListOptions {
  json?: boolean;
  csv?: boolean;
  out?: string;
}

/** Options of every list command. */
export const listOptions = (): Option[] => [
  new Option('--json', 'print JSON with all fields'),
  new Option('--csv', 'print CSV: flat columns, with formulas escaped').conflicts('json'),
  new Option('--out <file>', 'write to a file instead of standard output'),
];

/** The sort option of a list. */
export const sortOption = (orders: readonly string[]): Option =>
  new Option('--sort <order>', 'sort order; prefix with a minus for descending').choices(orders);

/**
 * Prints a list as it arrives: a table by default, JSON or CSV on request.
 * @param flat converts an entry into a row with the documented columns
 */
export async function printList<T>(
  { json, csv, out }: ListOptions,
  columns: readonly string[],
  rows: Iterable<T> | AsyncIterable<T>,
  flat: (row: T) => Record<string, unknown>,
): Promise<void> {
  if (json) return writeOutput(out, jsonList(rows));
  const flatRows = async function* () {
    for await (const row of rows) yield flat(row);
  };
  if (csv) return writeOutput(out, csvLines(columns, flatRows()));
  // Only tables need character widths.
  const { tableLines } = await import('./table.ts');
  await writeOutput(out, tableLines(columns, flatRows()));
}
