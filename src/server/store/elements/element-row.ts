import type { Insertable, Selectable } from 'kysely';
import type { FlatElement } from '../../../../engine/document/element.ts';
import type { ElementRow } from '../../../contract/entities.ts';
import type { ElementTable } from '../../base/db/room-tables.ts';
import type { Files } from '../media/files-repository.ts';

export type StoredElement = Selectable<ElementTable>;

/** Columns that hold a checked element; its place in the tree and its owner come on top. */
export type ElementColumns = Pick<Insertable<ElementTable>, 'element' | 'name' | 'file_id' | 'body'> & {
  hidden: number;
};

/** A stored element as a document has it, with the address of its file filled in. */
export function elementFromRow(row: StoredElement, files: Files): FlatElement {
  const { config, ...body } = JSON.parse(row.body);
  const element = {
    ...body,
    id: row.id,
    element: row.element,
    name: row.name,
    parent_element_id: row.parent_element_id,
    hidden: row.hidden === 1,
    file_id: row.file_id,
    file: null,
    config,
  };
  return withFile(element as FlatElement, files);
}

/** An element with its file, and what its settings say of that filled in: its address, and a video's type. */
export function withFile(element: FlatElement, files: Files): FlatElement {
  const { config, file_id } = element;
  const file = file_id === null ? null : (files.get(file_id) ?? null);
  if (!file) return { ...element, file } as FlatElement;
  const filled = {
    ...('file_url' in config && { file_url: file.url }),
    ...('mime' in config && { mime: file.mime ?? '' }),
  };
  return { ...element, file, config: { ...config, ...filled } } as FlatElement;
}

/** A stored element as the element calls give it. */
export const asElementRow = (row: StoredElement, files: Files): ElementRow => ({
  ...elementFromRow(row, files),
  room_id: row.room_id,
  order_rank: row.order_rank,
  updated_at: row.updated_at,
});

/** An element without what follows from its file: that is not stored. */
export function withoutFile<T extends FlatElement>(element: T): T {
  const { file_id, config } = element;
  const emptied = {
    ...(file_id !== null && 'file_url' in config && { file_url: '' }),
    ...(file_id !== null && 'mime' in config && { mime: '' }),
  };
  return { ...element, file: null, config: { ...config, ...emptied } };
}

/** Columns of a checked element. */
export function elementColumnsOf(element: FlatElement & { children?: unknown }): ElementColumns {
  const { id, element: type, name, parent_element_id, hidden, file_id, file, children, ...body } = withoutFile(element);
  return { element: type, name, hidden: Number(hidden), file_id, body: JSON.stringify(body) };
}
