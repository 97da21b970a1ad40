import { type Problem, wrongError } from '../failure.ts';
import { readCsv } from './csv.ts';
import { nameOf, readJson } from './read-file.ts';

/** A thing of a file that is imported, and where it stands. */
export interface Item {
  value: Record<string, unknown>;
  file: string;
  /** Line of a table; undefined in a document. */
  line?: number;
}

/** How a column of a table becomes a field: a text as it is, a number, or yes and no. */
export type Column = 'text' | 'number' | 'flag';

const FLAGS: Record<string, boolean> = { '1': true, true: true, yes: true, '0': false, false: false, no: false };

/** The value of a cell; undefined for one that is empty, which leaves the field as it is. */
function readCell(cell: string, column: Column): unknown {
  if (cell === '') return undefined;
  if (column === 'text') return cell;
  if (column === 'flag') return FLAGS[cell.toLowerCase()] ?? Number.NaN;
  return Number(cell);
}

const MEANT: Record<Column, string> = { text: 'a text', number: 'a number', flag: 'yes or no' };

async function readTable(file: string, columns: Record<string, Column>): Promise<Item[]> {
  const problems: Problem[] = [];
  const rows = await readCsv(file, Object.keys(columns));
  const items = rows.map(({ line, cells }): Item => {
    const value: Record<string, unknown> = {};
    for (const [name, cell] of Object.entries(cells)) {
      const read = readCell(cell, columns[name]!);
      if (Number.isNaN(read))
        problems.push({ file: nameOf(file), line, column: name, reason: `"${cell}" is not ${MEANT[columns[name]!]}` });
      else if (read !== undefined) value[name] = read;
    }
    return { value, file: nameOf(file), line };
  });
  if (problems.length > 0) throw wrongError(`${nameOf(file)} was not imported.`, 'Correct these cells.', problems);
  return items;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * What a file holds: a JSON document or a list of them, or the rows of a CSV.
 * @param columns columns that a table may have
 * @throws CliError naming file, line and column
 */
export async function readItems(file: string, columns: Record<string, Column>): Promise<Item[]> {
  if (file.endsWith('.csv')) return readTable(file, columns);
  const content = await readJson(file);
  const list = Array.isArray(content) ? content : [content];
  return list.map((value, index): Item => {
    if (isObject(value)) return { value, file: nameOf(file) };
    throw wrongError(`${nameOf(file)} was not imported.`, 'Use a JSON object, or a list of objects.', [
      { file: nameOf(file), column: `[${index}]`, reason: 'this is no object' },
    ]);
  });
}
