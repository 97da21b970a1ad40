import type { Insertable, Selectable } from 'kysely';
import type { Element } from '../../../../engine/document/element.ts';
import { withOffset } from '../../../../engine/document/window.ts';
import type { ElementRow } from '../../../contract/entities.ts';
import type { Files } from '../media/queries.ts';
import type { ElementTable } from './table.ts';

export type StoredElement = Selectable<ElementTable>;

/** Columns that hold a checked element; its place in the tree and its owner come on top. */
export type ElementColumns = Pick<Insertable<ElementTable>, 'element' | 'name' | 'file_id' | 'body'> & {
  hidden: number;
};

/** A stored element as a document has it, with the address of its file filled in. */
export function elementFromRow(row: StoredElement, files: Files): Element {
  const { config, ...body } = JSON.parse(row.body);
  const element = {
    ...body,
    // Rows of earlier versions have no zone. Others keep the order of their fields, which import marks depend on.
    ...(body.time_zone === undefined && { time_zone: null }),
    id: row.id,
    element: row.element,
    name: row.name,
    parent_element_id: row.parent_element_id,
    index: row.index,
    hidden: row.hidden === 1,
    file_id: row.file_id,
    file: null,
    config,
  };
  return withFile(element as Element, files);
}

/** An element with its file, and what its settings say of that filled in: its address, and a video's type. */
export function withFile(element: Element, files: Files): Element {
  const { config, file_id } = element;
  const file = file_id === null ? null : (files.get(file_id) ?? null);
  if (!file) return { ...element, file } as Element;
  const filled = {
    ...('file_url' in config && { file_url: file.url }),
    ...('mime' in config && { mime: file.mime ?? '' }),
  };
  return { ...element, file, config: { ...config, ...filled } } as Element;
}

/** A stored element as the element calls give it. @param now seconds since 1970 */
export const asElementRow = (row: StoredElement, files: Files, now: number): ElementRow => ({
  ...withOffset(elementFromRow(row, files), now),
  room_id: row.room_id,
  updated_at: row.updated_at,
});

/** An element without what follows from its file: that is not stored. */
export function withoutFile<T extends Element>(element: T): T {
  const { file_id, config } = element;
  const emptied = {
    ...(file_id !== null && 'file_url' in config && { file_url: '' }),
    ...(file_id !== null && 'mime' in config && { mime: '' }),
  };
  return { ...element, file: null, config: { ...config, ...emptied } };
}

/** Columns of a checked element. */
export function elementColumnsOf(element: Element): ElementColumns {
  const { id, element: type, name, parent_element_id, index, hidden, file_id, file, ...body } = withoutFile(element);
  return { element: type, name, hidden: Number(hidden), file_id, body: JSON.stringify(body) };
}
