import type { z } from 'zod';
import { mergeFields } from '../../../../engine/document/commands.ts';
import type { calls } from '../../../contract/calls.ts';
import type { ElementRow } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { refuseStale } from '../../base/answers/stale.ts';
import { nextTimestamp } from '../../base/clock.ts';
import type { Database } from '../../base/db/database.ts';
import { cleanAhead, type HtmlCleaner } from '../../storage/workers/clean-ahead.ts';
import type { CallContext } from '../call-context.ts';
import { checkElementFile, readElement, refuseUnknownSettings } from '../elements/check-element.ts';
import { storeElements } from '../elements/copy-elements.ts';
import { asElementRow, elementColumnsOf, elementFromRow, type StoredElement } from '../elements/element-row.ts';
import {
  findElement,
  listElements,
  listPlaces,
  listSiblings,
  rankElements,
  updateElement,
} from '../elements/elements-repository.ts';
import { recordElement } from '../elements/record-element.ts';
import { branchOf, checkCount, checkParent } from '../elements/tree.ts';
import { findFiles } from '../media/files-repository.ts';
import { lockRoom } from './rooms-repository.ts';

type Input<N extends keyof typeof calls.elements> = (typeof calls.elements)[N] extends {
  body: infer B extends z.ZodType;
}
  ? z.output<B>
  : never;

/** Stands for the id of an element that has none yet: one that no stored element has. */
const NEW_ID = Number.MAX_SAFE_INTEGER;

/** An element as the calls give it. */
export async function readElementRow({ db, organizationId }: CallContext, id: number): Promise<ElementRow> {
  const row = await findElement(db, organizationId, id);
  if (!row) throw new ApiError('not_found');
  return asElementRow(row, await findFiles(db, organizationId, [row.file_id]));
}

/**
 * Runs a change of one element with its room locked.
 * @throws ApiError not_found
 */
export async function withElement(
  { db: database, organizationId }: CallContext,
  id: number,
  change: (db: Database, row: StoredElement) => Promise<void>,
): Promise<void> {
  await database.transaction().execute(async (db) => {
    const seen = await findElement(db, organizationId, id);
    if (!seen || !(await lockRoom(db, organizationId, seen.room_id))) throw new ApiError('not_found');
    // Somebody may have changed or removed it while the room was locked.
    const row = await findElement(db, organizationId, id);
    if (!row) throw new ApiError('not_found');
    await change(db, row);
  });
}

/** Rank behind the last child of a parent. */
async function lastRank(db: Database, roomId: number, parent: number | null): Promise<number> {
  const siblings = await listSiblings(db, roomId, parent);
  return (siblings.at(-1)?.order_rank ?? -1) + 1;
}

/**
 * Adds an element behind the last one of its parent.
 * @throws ApiError or ZodError naming the fields that are wrong
 */
export async function addElement(
  context: CallContext,
  roomId: number,
  input: z.output<typeof calls.rooms.addElement.body>,
): Promise<ElementRow> {
  const { organizationId, clock, workers } = context;
  refuseUnknownSettings(input.element, input.config);
  const given = { ...input, id: NEW_ID };
  const element = readElement(given, await cleanAhead(workers, (html) => readElement(given, html)));
  const id = await context.db.transaction().execute(async (db) => {
    if (!(await lockRoom(db, organizationId, roomId))) throw new ApiError('not_found');
    await checkElementFile(db, organizationId, element);
    const places = await listPlaces(db, roomId);
    checkCount(places.length + 1);
    checkParent(places, element.parent_element_id);
    const rank = await lastRank(db, roomId, element.parent_element_id);
    const destination = { organizationId, roomId, at: nextTimestamp(clock) };
    const ids = await storeElements(db, destination, [element], () => rank);
    const made = ids.get(element.id)!;
    const { parent_element_id } = element;
    const after = { ...elementColumnsOf(element), parent_element_id, id: made, room_id: roomId };
    await recordElement(db, context, 'create', { after });
    return made;
  });
  return readElementRow(context, id);
}

/** A stored element with the given fields changed. */
function changed(row: StoredElement, fields: Omit<Input<'update'>, 'updated_at'>, html: HtmlCleaner) {
  const before = elementFromRow(row, new Map());
  refuseUnknownSettings(before.element, fields.config);
  const merged = mergeFields(before, fields);
  // A window that came from times goes with them.
  if (before.start_time !== null || before.end_time !== null) merged.visible_between = null;
  return { before, element: readElement(merged, html) };
}

/**
 * Changes the given fields of an element; a new parent gets it behind its last child.
 * @throws ApiError or ZodError naming the fields that are wrong
 */
export async function changeElement(
  context: CallContext,
  id: number,
  { updated_at, ...fields }: Input<'update'>,
): Promise<ElementRow> {
  const { organizationId, clock, workers } = context;
  const seen = await findElement(context.db, organizationId, id);
  if (!seen) throw new ApiError('not_found');
  const html = await cleanAhead(workers, (html) => changed(seen, fields, html));
  await withElement(context, id, async (db, row) => {
    refuseStale(row.updated_at, updated_at);
    const { before, element } = changed(row, fields, html);
    if (element.file_id !== before.file_id) await checkElementFile(db, organizationId, element);
    const parent = element.parent_element_id;
    const moves = parent !== row.parent_element_id;
    if (moves) checkParent(await listPlaces(db, row.room_id), parent, row);
    const columns = {
      ...elementColumnsOf(element),
      ...(moves && { parent_element_id: parent, order_rank: await lastRank(db, row.room_id, parent) }),
    };
    await updateElement(db, row.id, { ...columns, updated_at: nextTimestamp(clock, row.updated_at) });
    await recordElement(db, context, 'update', { before: row, after: { ...row, ...columns } });
  });
  return readElementRow(context, id);
}

/** Copies an element with everything below it, right behind the original. Links inside it point into the copy. */
export async function copyElement(context: CallContext, id: number): Promise<ElementRow> {
  const { organizationId, clock } = context;
  let copyId = 0;
  await withElement(context, id, async (db, row) => {
    const rows = await listElements(db, row.room_id);
    const branch = branchOf(rows, row);
    checkCount(rows.length + branch.length);
    const ranks = new Map(branch.map((element) => [element.id, element.order_rank]));
    const elements = branch.map((element) => elementFromRow(element, new Map()));
    const destination = { organizationId, roomId: row.room_id, at: nextTimestamp(clock) };
    const ids = await storeElements(db, destination, elements, (element) => ranks.get(element.id)!);
    copyId = ids.get(row.id)!;
    const siblings = (await listSiblings(db, row.room_id, row.parent_element_id)).map((sibling) => sibling.id);
    const others = siblings.filter((sibling) => sibling !== copyId);
    await rankElements(db, others.toSpliced(others.indexOf(row.id) + 1, 0, copyId));
    const { parent_element_id, room_id } = row;
    const after = {
      ...elementColumnsOf(elements[0]!),
      parent_element_id,
      copied_from: row.id,
      elements: branch.length,
    };
    await recordElement(db, context, 'create', { after: { ...after, id: copyId, room_id } });
  });
  return readElementRow(context, copyId);
}
