import { indexOf } from '../../../../engine/document/commands-between.ts';
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
  insertElements,
  listSiblings,
  storeRanks,
  updateElement,
} from '../elements/elements-repository.ts';

/** What was written to the rows of a room's elements. */
export interface Written {
  added: StoredElement[];
  changed: { before: StoredElement; after: StoredElement }[];
  removed: StoredElement[];
  /** Parents below which elements stand in another order, and both orders. */
  reordered: { parent: number | null; was: number[]; is: number[] }[];
}

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

/** Whether a list is what is left of another one when some are taken out: then every rank may stay. */
function isLeftOf(list: readonly number[], other: readonly number[]): boolean {
  let place = 0;
  for (const id of other) if (list[place] === id) place++;
  return place === list.length;
}

/** The ranks that change so that siblings stand in an order: as few as can be, for others may be many. */
function ranksFor(order: readonly number[], known: ReadonlyMap<number, number>): Map<number, number> {
  const changed = new Map<number, number>();
  let last = -1;
  for (const id of order) {
    const rank = known.get(id);
    last = rank !== undefined && rank > last ? rank : last + 1;
    if (rank !== last) changed.set(id, last);
  }
  return changed;
}

/**
 * Writes the elements of a document to their rows, those that differ from what it was, and no others.
 * @param before the document that the rows have
 * @param after the document that they shall have
 */
export async function writeElements(
  db: Database,
  { clock, organizationId }: Owner,
  before: Tree,
  after: Tree,
): Promise<Written> {
  const written: Written = { added: [], changed: [], removed: [], reordered: [] };
  if (before.elements === after.elements) return written;
  const [had, has] = [indexOf(before.elements), indexOf(after.elements)];
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
  const at = nextTimestamp(clock, stamps.sort().at(-1));

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
    if (earlier === list) continue;
    const [was, is] = [childIds(earlier), childIds(list)];
    if (isLeftOf(is, was)) continue;
    const siblings = was.length === 0 ? [] : await listSiblings(db, after.id, parent);
    const known = new Map(siblings.map(({ id, order_rank }) => [id, order_rank]));
    for (const [id, rank] of ranksFor(is, known)) ranks.set(id, rank);
    const staying = new Set(is.filter((id) => known.has(id)));
    const wasOrder = was.filter((id) => staying.has(id));
    const isOrder = is.filter((id) => staying.has(id));
    if (!isLeftOf(isOrder, wasOrder)) written.reordered.push({ parent, was: wasOrder, is: isOrder });
  }
  return ranks;
}
