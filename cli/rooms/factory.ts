import { isRecord } from '../../engine/document/field-paths.ts';
import { type Problem, usageError, wrongError } from '../failure.ts';
import type { CsvRow } from '../io/csv.ts';
import type { Item } from '../io/read-items.ts';

type Json = Record<string, unknown>;

/** Columns that need no mapping. */
const OWN: Record<string, string> = { name: 'name', title: 'title', path: 'endpoint.path' };

/** Fills `{column}` placeholders in a text with the cells of a row. */
const filled = (text: string, cells: Record<string, string>): string =>
  text.replace(/\{([^{}]+)\}/g, (whole, column: string) => cells[column.trim()] ?? whole);

/** A copy of a document with every `{column}` placeholder filled in. */
function fillCells(value: unknown, cells: Record<string, string>): unknown {
  if (typeof value === 'string') return filled(value, cells);
  if (Array.isArray(value)) return value.map((entry) => fillCells(entry, cells));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, fillCells(entry, cells)]));
}

function elementNamed(list: unknown, name: string): Json | undefined {
  if (!Array.isArray(list)) return undefined;
  for (const element of list.filter(isRecord)) {
    if (element.name === name) return element;
    const found = elementNamed(element.children, name);
    if (found) return found;
  }
  return undefined;
}

/** Converts a cell to the type of the previous value: a number remains a number. */
function valueLike(cell: string, before: unknown): unknown {
  if (typeof before === 'number' && cell.trim() !== '' && Number.isFinite(Number(cell))) return Number(cell);
  if (typeof before === 'boolean' && /^(true|false|1|0|yes|no)$/i.test(cell)) return /^(true|1|yes)$/i.test(cell);
  if (before === undefined && /^-?\d+(\.\d+)?$/.test(cell)) return Number(cell);
  return cell;
}

/**
 * Sets a field such as `width`, `config.duration`, or `elements[Poster].config.title`; the brackets contain the name of an
 * element.
 * @throws Error naming the missing part of the path
 */
function setField(document: Json, path: string, cell: string): void {
  const [, name, inElement] = /^elements\[([^\]]+)\]\.(.+)$/.exec(path) ?? [];
  const target = name === undefined ? document : elementNamed(document.elements, name);
  if (!target) throw new Error(`no element named "${name}" in the template`);
  const parts = (inElement ?? path).split('.');
  const last = parts.pop()!;
  let owner = target;
  for (const part of parts) {
    if (['__proto__', 'constructor', 'prototype'].includes(part)) throw new Error(`unknown field ${path}`);
    if (!isRecord(owner[part])) owner[part] = {};
    owner = owner[part] as Json;
  }
  if (['__proto__', 'constructor', 'prototype'].includes(last)) throw new Error(`unknown field ${path}`);
  // A name is always text, even if it looks like a number.
  const isText = ['name', 'title', 'path'].includes(last);
  owner[last] = isText ? cell : valueLike(cell, owner[last]);
}

/**
 * Reads a column mapping such as `{"Capacity": "config.duration"}`.
 * @throws CliError if it is invalid
 */
export function readMapping(content: unknown): Record<string, string> {
  if (isRecord(content) && Object.values(content).every((path) => typeof path === 'string'))
    return content as Record<string, string>;
  throw usageError(
    "The mapping isn't a JSON object of columns.",
    'Use JSON such as {"City": "elements[Sign].config.text"}.',
  );
}

/** Limit on invalid cells in messages. */
const MAX_NAMED_ROWS = 1000;

/** Fills a row into a copy of the template; also returns the problems. */
function roomOf(template: Json, cells: Record<string, string>, mapping: Record<string, string>) {
  const problems: Pick<Problem, 'column' | 'reason'>[] = [];
  const value = fillCells(structuredClone(template), cells) as Json;
  for (const [column, path] of Object.entries({ ...OWN, ...mapping })) {
    const cell = cells[column];
    if (cell === undefined || cell === '') continue;
    try {
      setField(value, path, cell);
    } catch (error) {
      problems.push({ column, reason: (error as Error).message });
    }
  }
  const name = String(value.name || value.title || '');
  if (!cells.name && !cells.title && !/\{/.test(String(template.name ?? template.title ?? '')))
    problems.push({ column: 'name', reason: 'the room has no name' });
  if (isRecord(value.endpoint) && !value.endpoint.name) value.endpoint.name = String(value.title || name);
  value.name = name;
  if (!value.title || (cells.name && !cells.title && !/\{/.test(String(template.title ?? '')))) value.title = name;
  return { value, problems };
}

/**
 * Creates the document of a room from each row: fills `{column}` placeholders in all texts of the template and sets
 * mapped fields. `name` (or `title`) is the name of the room, `path` the structure that shows it.
 * @param file name of the table in messages
 * @throws CliError with all invalid rows and columns, after the last row
 */
export async function* roomsOf(
  template: Json,
  rows: AsyncIterable<CsvRow>,
  mapping: Record<string, string>,
  file: string,
): AsyncGenerator<Item> {
  const problems: Problem[] = [];
  let isFirst = true;
  for await (const { line, cells } of rows) {
    if (isFirst)
      for (const column of Object.keys(mapping).filter((name) => !(name in cells)))
        problems.push({ file, line: 1, column, reason: 'the mapping refers to a missing column' });
    isFirst = false;
    const made = roomOf(template, cells, mapping);
    if (problems.length < MAX_NAMED_ROWS)
      problems.push(...made.problems.map((problem) => ({ file, line, ...problem })));
    yield { value: made.value, file, line, isRow: true };
  }
  if (problems.length > 0) throw wrongError('Nothing was created.', 'Correct the errors.', problems);
}
