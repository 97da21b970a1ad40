import type { ElementFields, RoomCommand } from '../../../engine/document/commands.ts';
import type { Element } from '../../../engine/document/element.ts';
import { type ByPath, byPath, fieldsByPath } from '../../../engine/document/field-paths.ts';
import { sayMessage } from '../../ui/language/say-message.ts';
import { cellText } from '../../ui/sheet/pasted-rows.ts';
import { labelAt } from '../fields/field-label.ts';
import { fieldSchema } from '../fields/field-schema.ts';
import { titleOf } from '../session/element-names.ts';

const LONG_TEXTS = ['config.long_description', 'config.transcript'] as const;

/** Columns of the table: captions, or the texts for people who can't see or hear the elements. */
export const COLUMN_SETS = {
  captions: ['name', 'config.title', 'config.author', 'config.date', 'config.alt'],
  accessibility: ['name', 'config.alt', ...LONG_TEXTS],
} as const;
export type ColumnSet = keyof typeof COLUMN_SETS;
export type Column = (typeof COLUMN_SETS)[ColumnSet][number];

/** Whether a column's texts can have several lines. */
export const isMultiline = (column: Column): boolean => LONG_TEXTS.some((each) => each === column);

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

/** Sets cells from one on, row by row. Cells that an element doesn't have are skipped if they are empty. */
export function setCells(
  elements: readonly Element[],
  columns: readonly Column[],
  from: { row: number; column: number },
  rows: readonly (readonly string[])[],
): CellEdits {
  const commands: RoomCommand[] = [];
  const problems: string[] = [];
  for (const [down, cells] of rows.entries()) {
    const element = elements[from.row + down];
    if (!element) {
      const left = rows.length - down;
      problems.push(`${left} ${left === 1 ? 'row' : 'rows'} left over: there are no more elements.`);
      break;
    }
    const values: ByPath = {};
    for (const [right, text] of cells.entries()) {
      const column = columns[from.column + right];
      const value = column && isMultiline(column) ? text.replace(/\r\n?/g, '\n').trim() : cellText(text);
      const before = column && cellOf(element, column);
      const name = column ? `${titleOf(element)}, ${labelAt(column)}` : titleOf(element);
      if (column === undefined || before === undefined) {
        if (value !== '')
          problems.push(column ? `${name}: this type has none.` : `${name}: there are no more columns.`);
        continue;
      }
      const read = fieldSchema(element.element, column).schema.safeParse(value);
      if (!read.success) problems.push(`${name}: ${sayMessage(read.error.issues[0]!.message)}`);
      else if (read.data !== before) values[column] = read.data;
    }
    if (Object.keys(values).length > 0)
      commands.push({ type: 'element.update', id: element.id, fields: fieldsByPath(values) as ElementFields });
  }
  return { commands, problems };
}
