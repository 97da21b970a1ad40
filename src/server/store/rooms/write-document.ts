import { differingElements } from '../../../../engine/document/differing-elements.ts';
import type { Element } from '../../../../engine/document/element.ts';
import type { Room } from '../../../../engine/document/room.ts';
import type { Clock } from '../../base/clock.ts';
import { nextTimestamp } from '../../base/clock.ts';
import type { Database } from '../../base/db/database.ts';
import { elementColumnsOf, type StoredElement } from '../elements/element-row.ts';
import {
  deleteElements,
  detachElements,
  findElements,
  findRanks,
  insertElements,
  listRanks,
  storeRanks,
  updateElement,
} from '../elements/elements-repository.ts';
import { gapsOf, ranksIn, spreadRanks } from '../elements/sibling-ranks.ts';

/** What was written to the rows of a room's elements. */
export interface Written {
  added: StoredElement[];
  changed: { before: StoredElement; after: StoredElement }[];
  removed: StoredElement[];
  /** Parents below which elements stand in another order, and both orders. */
  reordered: { parent: number | null; was: number[]; is: number[] }[];
  /** Stamp of the change: of the room, of each row that was written, and of the entry in the log. */
  at: string;
}

/** A change that changes no element. @param at stamp of the change */
export const nothingWritten = (at: string): Written => ({ added: [], changed: [], removed: [], reordered: [], at });

/** What is written of a document. */
type Tree = Pick<Room, 'id' | 'elements'>;

interface Owner {
  clock: Clock;
  organizationId: number;
}

const childIds = (elements: readonly Element[]) => elements.map(({ id }) => id);

/** The elements below each parent; null for the top. */
function listsOf(room: Tree, byId: ReadonlyMap<number, Element>): Map<number | null, readonly Element[]> {
  const lists = new Map<number | null, readonly Element[]>([[null, room.elements]]);
  for (const { id, children } of byId.values()) lists.set(id, children);
  return lists;
}

/** What stands in a list, by its id. */
type Standing = Pick<Element, 'id'>;

/** Whether a list is what is left of another one when some are taken out: then every rank may stay. */
function isLeftOf(list: readonly Standing[], other: readonly Standing[]): boolean {
  let place = 0;
  for (const { id } of other) if (list[place]?.id === id) place++;
  return place === list.length;
}

/**
 * Writes the elements of a document to their rows, those that differ from what it was, and no others.
 * @param trees `before`: the document that the rows have; `after`: the one that they shall have
 * @param since stamp of the room as it was
 */
export async function writeElements(
  db: Database,
  { clock, organizationId }: Owner,
  { before, after }: { before: Tree; after: Tree },
  since: string,
): Promise<Written> {
  const written = nothingWritten(nextTimestamp(clock, since));
  if (before.elements === after.elements) return written;
  const { had, has } = differingElements(before.elements, after.elements);
  const isOther = (element: Element) => {
    const old = had.get(element.id);
    if (!old || old === element) return false;
    if (old.parent_element_id !== element.parent_element_id) return true;
    return !isSameColumns(elementColumnsOf(old), elementColumnsOf(element));
  };
  const added = [...has.values()].filter(({ id }) => !had.has(id));
  const changed = [...has.values()].filter(isOther);
  const removed = [...had.keys()].filter((id) => !has.has(id));
  const stored = await findElements(db, organizationId, [...changed.map(({ id }) => id), ...removed]);
  const rows = new Map(stored.map((row) => [row.id, row]));
  const stamps = changed.map(({ id }) => rows.get(id)!.updated_at);
  const at = nextTimestamp(clock, [since, ...stamps].sort().at(-1));
  written.at = at;

  const ranks = await changedRanks(db, { before, after, had, has }, written);
  // What stays must not go with a parent that goes.
  const gone = new Set(removed);
  const orphans = changed.filter(({ id }) => gone.has(rows.get(id)!.parent_element_id ?? 0));
  await detachElements(db, childIds(orphans));
  await deleteElements(db, removed);
  written.removed = removed.map((id) => rows.get(id)!);
  const owned = { organization_id: organizationId, room_id: after.id, created_at: at, updated_at: at };
  written.added = added.map((element) => {
    const order_rank = ranks.get(element.id) ?? 0;
    ranks.delete(element.id);
    const { name = '', file_id = null, ...columns } = elementColumnsOf(element);
    return {
      ...columns,
      name,
      file_id,
      ...owned,
      id: element.id,
      parent_element_id: element.parent_element_id,
      order_rank,
    };
  });
  await insertElements(db, written.added);
  for (const element of changed) {
    const row = rows.get(element.id)!;
    const columns = elementColumnsOf(element);
    const order_rank = ranks.get(element.id) ?? row.order_rank;
    ranks.delete(element.id);
    const values = { ...columns, parent_element_id: element.parent_element_id, order_rank, updated_at: at };
    await updateElement(db, row.id, values);
    written.changed.push({ before: row, after: { ...row, ...values } as StoredElement });
  }
  await storeRanks(db, ranks);
  return written;
}

const isSameColumns = (one: object, other: object) =>
  Object.entries(one).every(([name, value]) => other[name as keyof typeof other] === value);

/**
 * The ranks that change so that siblings stand in another order. The ranks of all are read only where there is no room between
 * those around, for they may be many.
 */
async function ranksFor(
  db: Database,
  { room, parent }: { room: number; parent: number | null },
  was: readonly number[],
  is: readonly number[],
): Promise<Map<number, number>> {
  const gaps = gapsOf(was, is);
  const around = gaps.flatMap(({ before = [], behind = [] }) => [before, behind].flat());
  const ranks = ranksIn(gaps, await findRanks(db, around));
  return ranks ?? spreadRanks(is, await listRanks(db, room, parent));
}

interface Trees {
  before: Tree;
  after: Tree;
  had: ReadonlyMap<number, Element>;
  has: ReadonlyMap<number, Element>;
}

/** The ranks that differ after a change of the tree, by element; notes where the order of those that stay changes. */
async function changedRanks(
  db: Database,
  { before, after, had, has }: Trees,
  written: Written,
): Promise<Map<number, number>> {
  const ranks = new Map<number, number>();
  const old = listsOf(before, had);
  for (const [parent, list] of listsOf(after, has)) {
    const earlier = old.get(parent) ?? [];
    if (isLeftOf(list, earlier)) continue;
    const [was, is] = [childIds(earlier), childIds(list)];
    for (const [id, rank] of await ranksFor(db, { room: after.id, parent }, was, is)) ranks.set(id, rank);
    const known = new Set(was);
    const isOrder = is.filter((id) => known.has(id));
    const staying = new Set(isOrder);
    const wasOrder = was.filter((id) => staying.has(id));
    const isMoved = isOrder.some((id, place) => id !== wasOrder[place]);
    if (isMoved) written.reordered.push({ parent, was: wasOrder, is: isOrder });
  }
  return ranks;
}
