import { applyCommand } from '../../../../engine/document/commands.ts';
import { MAX_DEPTH } from '../../../../engine/document/constants.ts';
import type { Element } from '../../../../engine/document/element.ts';
import { type IdMap, remapElement } from '../../../../engine/document/remap.ts';
import { childrenOf } from '../../../../engine/document/tree.ts';
import { ApiError } from '../../../contract/errors.ts';
import { nextTimestamp } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { reserveIds } from '../../core/db/reserve-ids.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { findFiles } from '../media/queries.ts';
import { announce, type Committed, commitDocument } from './commit.ts';
import { storeElements } from './copy-elements.ts';
import { elementFromRow, type StoredElement } from './element-row.ts';
import { findElementIds, insertElements } from './elements-repository.ts';
import { type RemovedBranch, recordElement } from './record-element.ts';
import { lockRoom, type StoredRoom } from './rooms-repository.ts';
import { ancestorsFrom, checkCount, checkParent, heightOf, type Node } from './tree.ts';

/** What came back, and what it used and is no longer there. */
export interface Restored {
  id: number;
  roomId: number;
  missing: string[];
}

/**
 * Puts removed elements back into a room that is there, under their own ids where these are free.
 * @param rows parents before their children
 * @param names names of the files that they used, by id
 * @returns new ids by old ids, none where they have their own; and the files that are gone
 */
export async function putBack(
  db: Database,
  { organizationId, clock }: CallContext,
  rows: readonly StoredElement[],
  names: Record<string, string>,
): Promise<{ ids: IdMap; missing: string[] }> {
  const { elements, missing } = await withoutGoneFiles(db, organizationId, rows, names);
  const at = nextTimestamp(clock);
  const ids = await freeIds(
    db,
    rows.map(({ id }) => id),
  );
  if (ids.size === 0) {
    await insertElements(
      db,
      elements.map((row) => ({ ...row, updated_at: at })),
    );
    return { ids, missing };
  }
  const destination = { organizationId, roomId: rows[0]!.room_id, at };
  const list = elements.map((row) => elementFromRow(row, new Map()));
  return { ids: await storeElements(db, destination, list), missing };
}

/** Rows without the files that are gone; those by their names. */
async function withoutGoneFiles(
  db: Database,
  organizationId: number,
  rows: readonly StoredElement[],
  names: Record<string, string>,
): Promise<{ elements: StoredElement[]; missing: string[] }> {
  const wanted = rows.map(({ file_id }) => file_id);
  const files = await findFiles(db, organizationId, wanted);
  const gone = [...new Set(wanted)].filter((id) => id !== null && !files.has(id));
  const elements = rows.map((row) => ({ ...row, file_id: files.has(row.file_id ?? 0) ? row.file_id : null }));
  return { elements, missing: gone.map((id) => `File ${names[id!] ?? id}`) };
}

/** New ids for elements of which one has an id that is taken; none where all are free. */
async function freeIds(db: Database, ids: readonly number[]): Promise<Map<number, number>> {
  if ((await findElementIds(db, ids)).length === 0) return new Map();
  const reserved = await reserveIds(db, 'elements', ids.length);
  return new Map(ids.map((id, index) => [id, reserved[index]!]));
}

/** The parent that a branch stood below, if it is there and not too deep by now; otherwise the top of the room. */
function placeOf(places: readonly Node[], parent: number | null, height: number): number | null {
  const ancestors = ancestorsFrom(places, parent);
  return ancestors && ancestors.length + height <= MAX_DEPTH ? parent : null;
}

/**
 * Restores a removed element in a locked room, with all that stood below it: where it was, or at the top of the room when
 * its parent is gone.
 * @throws ApiError invalid when it is there, or the room is full
 */
export async function restoreBranchIn(
  db: Database,
  context: CallContext,
  row: StoredRoom,
  { elements: rows, files: names }: RemovedBranch,
): Promise<Restored & { committed: Committed }> {
  const room = await context.documents.ofLocked(db, row);
  const places = room.elements;
  const top = rows[0]!;
  if (places.some(({ id }) => id === top.id)) throw new ApiError('invalid', 'This element is already there.');
  checkCount(places.length + rows.length);
  const parent = placeOf(places, top.parent_element_id, heightOf(rows, top));
  checkParent(places, parent);
  const { elements, missing } = await withoutGoneFiles(db, context.organizationId, rows, names);
  const ids = await freeIds(
    db,
    rows.map(({ id }) => id),
  );
  const flat = elements.map((element) => {
    const own = ids.get(element.id) ?? element.id;
    const above = element.id === top.id ? parent : element.parent_element_id;
    return {
      ...remapElement(elementFromRow(element, new Map()), ids),
      id: own,
      parent_element_id: above === null ? null : (ids.get(above) ?? above),
    } as Element;
  });
  const id = ids.get(top.id) ?? top.id;
  // Where it was, as its key says; another element may have that key by now.
  const siblings = childrenOf(places, parent);
  const isTaken = siblings.some(({ index }) => index === top.index);
  const after = siblings.findLast(({ index }) => index < top.index)?.id ?? null;
  const isBack = parent === top.parent_element_id;
  const place = isBack ? { after, ...(!isTaken && { index: top.index }) } : {};
  const restored = applyCommand(room, { type: 'element.add', elements: flat, parent, ...place }).room;
  const committed = await commitDocument(db, context, row, { origin: 'restore' }, restored);
  const facts = { elements: rows.length, ...(missing.length > 0 && { missing }) };
  const is = { ...top, id, parent_element_id: parent, ...facts };
  await recordElement(db, context, 'restore', { after: is, seq: committed.seq });
  return { id, roomId: row.id, missing, committed };
}

/**
 * Restores a removed element, as `restoreBranchIn` does, into its room.
 * @throws ApiError invalid when its room is gone, or full
 */
export async function restoreBranch(
  db: Database,
  context: CallContext,
  removed: RemovedBranch,
): Promise<Restored & { done: () => void }> {
  const row = await lockRoom(db, context.organizationId, removed.elements[0]!.room_id);
  if (!row) throw new ApiError('invalid', 'The space of this element is gone. Restore the space first.');
  const { committed, ...restored } = await restoreBranchIn(db, context, row, removed);
  return { ...restored, done: () => announce(context, row, committed) };
}
