import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Option } from 'commander';
import { usageError } from '../failure.ts';
import { csvLines } from '../io/csv-lines.ts';
import { jsonList, jsonText, writeOutput } from '../io/write-output.ts';

/** Options of an export. */
export interface ExportOptions {
  csv?: boolean;
  out?: string;
}

/** An exported entity. */
export interface Exported {
  /** The whole document, in import format. */
  document: object;
  /** The entity as a row with the documented columns. */
  row: Record<string, unknown>;
  /** File name in a folder, without extension; slashes create subfolders. */
  file: string;
}

/** Options of every document export. */
export const exportOptions = (): Option[] => [
  new Option('--json', 'export JSON without loss; the default'),
  new Option('--csv', 'export a CSV table instead of JSON: flat columns, with formulas escaped').conflicts('json'),
  new Option(
    '--out <place>',
    'file, or folder (an existing one, or a name that ends with /) for one file per item; standard output by default',
  ),
];

/** Whether a path is a folder: an existing one, or one written as a folder. */
export const isFolder = async (place: string): Promise<boolean> =>
  /[/\\]$/.test(place) || ((await stat(place).catch(() => null))?.isDirectory() ?? false);

/** A name as a safe file name that can't leave the folder. */
export const fileName = (name: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are replaced here.
  name.replace(/[\u0000-\u001f\u007f\\:*?"<>|]+/g, '-').replace(/(^|\/)\.+/g, '$1') || 'unnamed';

/**
 * Writes one entity as JSON or as a table to a file, a folder or standard output.
 * @param columns columns of the table
 */
export async function exportOne(item: Exported, columns: readonly string[], options: ExportOptions): Promise<void> {
  const { csv, out } = options;
  if (csv || (out !== undefined && (await isFolder(out)))) return exportItems([item], columns, options);
  await writeOutput(out, jsonText(item.document));
}

/**
 * Streams entities as a JSON list or as a table to one file, a folder or standard output.
 * @param columns columns of the table
 */
export async function exportItems(
  items: Iterable<Exported> | AsyncIterable<Exported>,
  columns: readonly string[],
  { csv, out }: ExportOptions,
): Promise<void> {
  const each = async function* (field: 'document' | 'row') {
    for await (const item of items) yield item[field] as Exported['row'];
  };
  if (out === undefined || !(await isFolder(out)))
    return writeOutput(out, csv ? csvLines(columns, each('row')) : jsonList(each('document')));
  if (csv) throw usageError('--csv writes a single table.', 'Specify a file with --out, such as table.csv.');
  let count = 0;
  for await (const { document, file } of items) {
    await writeOutput(join(out, `${fileName(file)}.json`), jsonText(document));
    count++;
  }
  process.stderr.write(`${count} written to ${out}.\n`);
}
