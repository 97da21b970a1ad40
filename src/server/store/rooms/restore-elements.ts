import { MAX_DEPTH } from '../../../../engine/document/constants.ts';
import type { IdMap } from '../../../../engine/document/remap.ts';
import { ApiError } from '../../../contract/errors.ts';
import { nextTimestamp } from '../../base/clock.ts';
import type { Database } from '../../base/db/database.ts';
import type { CallContext } from '../call-context.ts';
import { storeElements } from '../elements/copy-elements.ts';
import { elementFromRow, type StoredElement } from '../elements/element-row.ts';
import {
  findElements,
  insertElements,
  listPlaces,
  listSiblings,
  rankElements,
} from '../elements/elements-repository.ts';
import type { RemovedBranch } from '../elements/record-element.ts';
import { recordElement } from '../elements/record-element.ts';
import { ancestorsFrom, checkCount, checkParent, heightOf, type Node } from '../elements/tree.ts';
import { findFiles } from '../media/files-repository.ts';
import { lockRoom } from './rooms-repository.ts';

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
  const wanted = rows.map(({ file_id }) => file_id);
  const files = await findFiles(db, organizationId, wanted);
  const gone = [...new Set(wanted)].filter((id) => id !== null && !files.has(id));
  const missing = gone.map((id) => `File ${names[id!] ?? id}`);
  const elements = rows.map((row) => ({ ...row, file_id: files.has(row.file_id ?? 0) ? row.file_id : null }));
  const at = nextTimestamp(clock);
  const taken = await findElements(
    db,
    organizationId,
    rows.map(({ id }) => id),
  );
  if (taken.length === 0) {
    await insertElements(
      db,
      elements.map((row) => ({ ...row, updated_at: at })),
    );
    return { ids: new Map(), missing };
  }
  const ranks = new Map(elements.map(({ id, order_rank }) => [id, order_rank]));
  const destination = { organizationId, roomId: rows[0]!.room_id, at };
  const list = elements.map((row) => elementFromRow(row, new Map()));
  return { ids: await storeElements(db, destination, list, ({ id }) => ranks.get(id)!), missing };
}

/** The parent that a branch stood below, if it is there and not too deep by now; otherwise the top of the room. */
function placeOf(places: readonly Node[], parent: number | null, height: number): number | null {
  const ancestors = ancestorsFrom(places, parent);
  return ancestors && ancestors.length + height <= MAX_DEPTH ? parent : null;
}

/**
 * Brings a removed element back with all that stood below it: where it was, or at the top of the room when its parent is
 * gone.
 * @throws ApiError invalid when its room is gone, or full
 */
export async function restoreBranch(
  db: Database,
  context: CallContext,
  { elements, files }: RemovedBranch,
): Promise<Restored> {
  const top = elements[0]!;
  if (!(await lockRoom(db, context.organizationId, top.room_id)))
    throw new ApiError('invalid', 'The space of this element is gone. Restore the space first.');
  const places = await listPlaces(db, top.room_id);
  if (places.some(({ id }) => id === top.id)) throw new ApiError('invalid', 'This element is already there.');
  checkCount(places.length + elements.length);
  const parent = placeOf(places, top.parent_element_id, heightOf(elements, top));
  checkParent(places, parent);
  const rows = elements.with(0, { ...top, parent_element_id: parent });
  const { ids, missing } = await putBack(db, context, rows, files);
  const id = ids.get(top.id) ?? top.id;
  const siblings = (await listSiblings(db, top.room_id, parent)).filter((sibling) => sibling.id !== id);
  const before = siblings.filter(({ order_rank }) => order_rank < top.order_rank).length;
  const order = siblings.map((sibling) => sibling.id).toSpliced(before, 0, id);
  await rankElements(db, order);
  const after = { ...rows[0]!, id, elements: elements.length, ...(missing.length > 0 && { missing }) };
  await recordElement(db, context, 'restore', { after });
  return { id, roomId: top.room_id, missing };
}
