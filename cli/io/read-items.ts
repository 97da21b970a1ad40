import { isRecord } from '../../engine/document/field-paths.ts';
import { shortText } from '../../src/contract/short-text.ts';
import { JsonError, valuesOf } from '../../src/contract/split-json.ts';
import { type Problem, wrongError } from '../failure.ts';
import { rowsOf } from './csv.ts';
import { isTable } from './is-table.ts';
import { fileNameOf, textOf } from './read-file.ts';

/** An imported item and its location. */
export interface Item {
  value: Record<string, unknown>;
  file: string;
  /** First line of the item. */
  line: number;
  /** Whether it is a table row instead of a document. */
  isRow: boolean;
}

/** How a column converts to a field: text, number, yes/no, or JSON. */
export type Column = 'text' | 'number' | 'flag' | 'json';

const BOOLEAN_WORDS: Record<string, boolean> = {
  '1': true,
  true: true,
  yes: true,
  '0': false,
  false: false,
  no: false,
};

/** The value of a cell with JSON; not a number if it is none. */
function readJsonCell(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    return Number.NaN;
  }
}

/** Parses a cell; undefined if empty, which leaves the field unchanged. */
function readCell(cell: string, column: Column): unknown {
  if (cell === '') return undefined;
  if (column === 'text') return cell;
  if (column === 'flag') return BOOLEAN_WORDS[cell.toLowerCase()] ?? Number.NaN;
  if (column === 'json') return readJsonCell(cell);
  return Number(cell);
}

const MEANT: Record<Column, string> = { text: 'text', number: 'a number', flag: 'yes or no', json: 'JSON' };

/** Limit on invalid cells in messages. */
const MAX_NAMED_CELLS = 1000;

/** The rows of a table; invalid cells are reported at the end. */
async function* tableItems(file: string, columns: Record<string, Column>): AsyncGenerator<Item> {
  const problems: Problem[] = [];
  for await (const { line, cells } of rowsOf(file, Object.keys(columns))) {
    const value: Record<string, unknown> = {};
    for (const [name, cell] of Object.entries(cells)) {
      const read = readCell(cell, columns[name]!);
      if (Number.isNaN(read)) {
        const reason = `"${shortText(cell)}" is not ${MEANT[columns[name]!]}`;
        if (problems.length < MAX_NAMED_CELLS) problems.push({ file: fileNameOf(file), line, column: name, reason });
      } else if (read !== undefined) value[name] = read;
    }
    yield { value, file: fileNameOf(file), line, isRow: true };
  }
  if (problems.length > 0) throw wrongError(`${fileNameOf(file)} was not imported.`, 'Correct these cells.', problems);
}

/** The items of a document. */
async function* documentItems(file: string): AsyncGenerator<Item> {
  const name = fileNameOf(file);
  let index = -1;
  try {
    for await (const { value, line } of valuesOf(textOf(file))) {
      index++;
      if (isRecord(value)) yield { value, file: name, line, isRow: false };
      else
        throw wrongError(`${name} was not imported.`, 'Use a JSON object, or a list of objects.', [
          { file: name, line, column: `[${index}]`, reason: 'not an object' },
        ]);
    }
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw wrongError(`${name} isn't valid JSON.`, 'Export it again, or correct the error.', [
      { file: name, line: error.line, reason: error.message },
    ]);
  }
}

/**
 * Streams the items of a file: a JSON document, a list of them, a sequence of them, or the rows of a CSV.
 * @param columns allowed table columns
 * @throws CliError with file, line and column; for invalid cells, after the last row
 */
export async function* itemsIn(file: string, columns: Record<string, Column>): AsyncGenerator<Item> {
  yield* (await isTable(file)) ? tableItems(file, columns) : documentItems(file);
}
