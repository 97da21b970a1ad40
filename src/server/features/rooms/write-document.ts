import type { Differing } from '../../../../engine/document/differing-elements.ts';
import type { Element } from '../../../../engine/document/element.ts';
import { isSame } from '../../../../engine/document/field-paths.ts';
import type { Room } from '../../../../engine/document/room.ts';
import { idsBelow } from '../../../../engine/document/tree.ts';
import { type Clock, nextTimestamp } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { WorkInPieces } from '../../core/work-in-pieces.ts';
import {
  deleteElements,
  detachElements,
  findElements,
  insertElements,
  storeIndexes,
  updateElement,
} from './elements-repository.ts';
import { elementColumnsOf, type StoredElement } from './rows.ts';

/** Changes written to the rows of a room's elements. */
export interface Written {
  added: StoredElement[];
  changed: { before: StoredElement; after: StoredElement }[];
  removed: StoredElement[];
  /** Parents whose children were reordered, with both orders. */
  reordered: { parent: number | null; was: readonly number[]; is: readonly number[] }[];
  /** Timestamp of the change: of the room, of each written row, and of the log entry. */
  at: string;
}

/** A change without changed elements. @param at timestamp of the change */
export const nothingWritten = (at: string): Written => ({ added: [], changed: [], removed: [], reordered: [], at });

/** The written part of a document. */
type Tree = Pick<Room, 'id' | 'elements'>;

type Elements = ReadonlyMap<number, Element>;

interface Trees {
  /** The document that the rows contain. */
  before: Tree;
  after: Tree;
  differing: Differing;
}

interface Owner {
  clock: Clock;
  organizationId: number;
}

/** Columns of an element, besides its owner and timestamps. */
const columnsOf = (element: Element) => {
  const { name = '', file_id = null, ...columns } = elementColumnsOf(element);
  const { parent_element_id, index } = element;
  return { ...columns, name, file_id, parent_element_id, index };
};

/** The orders of a parent's children before and after, limited to those present in both. */
function ordersBelow(parent: number | null, { before, after, differing: { had, has } }: Trees) {
  const order = ({ elements }: Tree, own: Elements, other: Elements) => {
    const ids = idsBelow(elements, parent);
    const missing = [...own.values()].filter(({ id }) => other.get(id)?.parent_element_id !== parent);
    if (missing.length === 0) return ids;
    const others = new Set(missing.map(({ id }) => id));
    return ids.filter((id) => !others.has(id));
  };
  return { parent, was: order(before, had, has), is: order(after, has, had) };
}

/**
 * Writes a document's changed elements to their rows.
 * @param since previous timestamp of the room
 */
export async function writeElements(
  db: Database,
  { clock, organizationId }: Owner,
  trees: Trees,
  since: string,
): Promise<Written> {
  const { after } = trees;
  const { had, has } = trees.differing;
  const written = nothingWritten(nextTimestamp(clock, since));
  if (had.size === 0 && has.size === 0) return written;
  const added: Element[] = [];
  const changed: Element[] = [];
  for (const element of has.values()) {
    const old = had.get(element.id);
    if (!old) added.push(element);
    else if (!isSame({ ...old, index: element.index }, element)) changed.push(element);
  }
  const removed = [...had.keys()].filter((id) => !has.has(id));
  const stored = await findElements(db, organizationId, [...changed.map(({ id }) => id), ...removed]);
  const rows = new Map(stored.map((row) => [row.id, row]));
  const stamps = changed.map(({ id }) => rows.get(id)!.updated_at);
  const at = nextTimestamp(clock, [since, ...stamps].sort().at(-1));
  written.at = at;

  /** Changed sibling keys by element; an element's other changes are written with it. */
  const indexes = new Map<number, string>();
  const parents = new Set<number | null>();
  for (const { id, parent_element_id: parent, index } of has.values()) {
    const old = had.get(id);
    if (!old || old.index === index) continue;
    indexes.set(id, index);
    if (old.parent_element_id === parent) parents.add(parent);
  }
  const orders = [...parents].map((parent) => ordersBelow(parent, trees));
  written.reordered = orders.filter(({ was, is }) => is.some((id, place) => id !== was[place]));
  // Reparented elements must not be deleted with their old parent.
  const gone = new Set(removed);
  const orphans = changed.filter(({ id }) => gone.has(rows.get(id)!.parent_element_id ?? 0));
  await detachElements(
    db,
    orphans.map(({ id }) => id),
  );
  await deleteElements(db, removed);
  written.removed = removed.map((id) => rows.get(id)!);
  const owned = { organization_id: organizationId, room_id: after.id, created_at: at, updated_at: at };
  written.added = added.map((element) => {
    return { ...columnsOf(element), ...owned, id: element.id };
  });
  await insertElements(db, written.added);
  const work = new WorkInPieces();
  for (const element of changed) {
    await work.pause();
    const row = rows.get(element.id)!;
    indexes.delete(element.id);
    const values = { ...columnsOf(element), updated_at: at };
    await updateElement(db, row, values);
    written.changed.push({ before: row, after: { ...row, ...values } });
  }
  await storeIndexes(db, indexes, work);
  return written;
}
