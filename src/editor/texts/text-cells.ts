import { parse } from 'csv-parse/browser/esm/sync';
import type { ElementFields, RoomCommand } from '../../../engine/document/commands.ts';
import type { Element } from '../../../engine/document/element.ts';
import { labelOf } from '../../../engine/document/field-labels.ts';
import { type ByPath, byPath, fieldsByPath } from '../../../engine/document/field-paths.ts';
import { fieldSchema } from '../fields/field-schema.ts';
import { titleOf } from '../session/element-names.ts';

/** Columns of the table: the texts that most elements have. */
export const COLUMNS = ['name', 'config.title', 'config.author', 'config.date', 'config.alt'] as const;
export type Column = (typeof COLUMNS)[number];

/** A cell's text; undefined if elements of this type don't have it. */
export function cellOf(element: Element, column: Column): string | undefined {
  const value = byPath(element)[column];
  return typeof value === 'string' ? value : undefined;
}

/** Commands that set cells, and what can't be set. */
interface CellEdits {
  commands: RoomCommand[];
  problems: string[];
}

/** Rows of cells copied from a spreadsheet. */
export function pastedRows(text: string): string[][] {
  try {
    return parse(text, { delimiter: '\t', relax_quotes: true, relax_column_count: true, skip_empty_lines: false });
  } catch {
    // A cell begins with a quotation mark that belongs to its text.
    return text.split(/\r?\n/).map((line) => line.split('\t'));
  }
}

/** Sets cells from one on, row by row. Cells that an element doesn't have are skipped if they are empty. */
export function setCells(
  elements: readonly Element[],
  from: { row: number; column: number },
  rows: readonly (readonly string[])[],
): CellEdits {
  const commands: RoomCommand[] = [];
  const problems: string[] = [];
  for (const [down, cells] of rows.entries()) {
    const element = elements[from.row + down];
    if (!element) {
      problems.push(`${rows.length - down} rows are left over: there are no more elements.`);
      break;
    }
    const values: ByPath = {};
    for (const [right, text] of cells.entries()) {
      const column = COLUMNS[from.column + right];
      const value = text.replace(/\s*[\r\n]+\s*/g, ' ').trim();
      const before = column && cellOf(element, column);
      const name = column ? `${titleOf(element)}, ${labelOf(column)}` : titleOf(element);
      if (column === undefined || before === undefined) {
        if (value !== '')
          problems.push(column ? `${name}: this type has none.` : `${name}: there are no more columns.`);
        continue;
      }
      const read = fieldSchema(element.element, column).schema.safeParse(value);
      if (!read.success) problems.push(`${name}: ${read.error.issues[0]!.message}`);
      else if (read.data !== before) values[column] = read.data;
    }
    if (Object.keys(values).length > 0)
      commands.push({ type: 'element.update', id: element.id, fields: fieldsByPath(values) as ElementFields });
  }
  return { commands, problems };
}
