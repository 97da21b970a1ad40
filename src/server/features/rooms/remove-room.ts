import { applyCommand } from '../../../../engine/document/commands.ts';
import { MAX_DEPTH } from '../../../../engine/document/constants.ts';
import type { Element } from '../../../../engine/document/element.ts';
import { type IdMap, remapElement, remapRoomConfig } from '../../../../engine/document/remap.ts';
import type { Room } from '../../../../engine/document/room.ts';
import type { RoomConfig } from '../../../../engine/document/room-config.ts';
import { childrenOf } from '../../../../engine/document/tree.ts';
import { ApiError } from '../../../contract/errors.ts';
import { type Author, recordChange } from '../../core/changes/record-change.ts';
import type { NewRecord } from '../../core/changes/records.ts';
import { nextTimestamp } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { lockOrganization } from '../../core/db/for-update.ts';
import { everywhere } from '../../core/db/limited.ts';
import { reserveIds } from '../../core/db/reserve-ids.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { lockFolder } from '../folders/queries.ts';
import { folderForNew } from '../folders/service.ts';
import { SPACE_FOLDERS } from '../folders/table.ts';
import { fileNames, findFiles, findRoomFiles, withoutMissingFiles } from '../media/queries.ts';
import { hasPosterFile, keepForBin } from '../posters/poster-files.ts';
import { putPoster, readPosterRow, type StoredPoster } from '../posters/queries.ts';
import { findTemplate } from '../templates/queries.ts';
import { announce, type Committed, commitDocument } from './commit.ts';
import { storeElements } from './create-room.ts';
import { findElementIds, insertElements, listElements } from './elements-repository.ts';
import { deleteRoom, findRoom, insertRoom, lockRoom, refuseBranch, type StoredRoom, updateRoom } from './queries.ts';
import { type RemovedBranch, recordElement } from './record-element.ts';
import { elementFromRow, roomFromRow, type StoredElement } from './rows.ts';
import { ancestorsFrom, checkCount, checkParent, heightOf, type Node } from './tree.ts';

/** Data that restores a deleted room. */
export interface RemovedRoom {
  room: StoredRoom;
  /** Rows of its elements, parents first. */
  elements: StoredElement[];
  /** Structures that showed it. */
  endpoints: number[];
  /** Name of its template; null for none. */
  template: string | null;
  /** Names of the files it used, by id. */
  files: Record<string, string>;
  poster?: StoredPoster;
}

/** Builds a document from recorded rows. */
export function roomOfRows({ room, elements }: Pick<RemovedRoom, 'room' | 'elements'>): Room {
  const flat = elements.map((element) => elementFromRow(element, new Map()));
  return { ...roomFromRow(room, new Map()), template: null, elements: flat };
}

/** Log entries per record: each can be large. */
const ENTRIES_PER_RECORD = 50;

/** Records of a deleted room with its log, so that earlier changes can still be reverted. */
async function* recordsOf(db: Database, content: RemovedRoom): AsyncGenerator<NewRecord> {
  const { id, name } = content.room;
  const about = { action: 'delete', entity_id: id, name } as const;
  const bases = await db.selectFrom('room_bases').selectAll().where('room_id', '=', id).execute();
  if (bases.length > 0) yield { ...about, kind: 'room_bases', content: { rows: bases } };
  for (let after = 0; ; ) {
    const entries = db.selectFrom('room_commands').selectAll().where('room_id', '=', id).where('seq', '>', after);
    const rows = await entries.orderBy('seq').limit(ENTRIES_PER_RECORD).execute();
    if (rows.length > 0) yield { ...about, kind: 'room_commands', content: { rows } };
    if (rows.length < ENTRIES_PER_RECORD) break;
    after = rows.at(-1)!.seq;
  }
  yield { ...about, kind: 'rooms', content };
}

/**
 * Deletes a room with its elements in the caller's transaction; the bin can restore them for a while.
 * @returns the data that restores it
 * @throws ApiError not_found
 */
export async function removeRoomIn(db: Database, author: Author, id: number): Promise<RemovedRoom> {
  const { organizationId } = author;
  const room = await lockRoom(db, organizationId, id);
  if (!room) throw new ApiError('not_found');
  refuseBranch(room);
  const elements = await listElements(db, id);
  const shown = await everywhere(db)
    .selectFrom('endpoints')
    .select('id')
    .where('room_id', '=', id)
    .orderBy('id')
    .execute();
  const template = room.template_id === null ? null : await findTemplate(db, organizationId, room.template_id);
  const markers = [JSON.parse(room.config).realtime_file_id ?? null];
  const poster = await readPosterRow(db, 'room_id', id);
  const content: RemovedRoom = {
    room,
    elements,
    endpoints: shown.map((endpoint) => endpoint.id),
    template: template?.name ?? null,
    files: fileNames(await findRoomFiles(db, organizationId, id, markers)),
    ...(poster && { poster }),
  };
  if (poster?.file_id) await keepForBin(db, author.clock, poster.file_id);
  const before = { ...room, elements: elements.length, endpoint_ids: content.endpoints };
  const about = { entity_id: id, room_id: id, name: room.title };
  const records = recordsOf(db, content);
  const change = { action: 'delete', entity: 'room', ...about, before, records, isRestorable: true } as const;
  await recordChange(db, author, change);
  await deleteRoom(db, id);
  return content;
}

/**
 * Deletes a room with its elements; the bin can restore them for a while.
 * @throws ApiError not_found
 */
export async function removeRoom(context: CallContext, id: number): Promise<void> {
  await context.db.transaction().execute(async (db) => {
    await removeRoomIn(db, context, id);
  });
}

/** Restored entities, and their missing references. */
export interface Restored {
  id: number;
  roomId: number;
  missing: string[];
}

/**
 * Restores deleted elements into an existing room, with their original ids if these are free.
 * @param rows parents before their children
 * @param names names of the files they used, by id
 * @returns new ids by old ids, empty if unchanged; and the missing files
 */
async function restoreElements(
  db: Database,
  { organizationId, clock }: CallContext,
  rows: readonly StoredElement[],
  names: Record<string, string>,
): Promise<{ ids: IdMap; missing: string[] }> {
  const { rows: elements, missing } = await withoutMissingFiles(db, organizationId, rows, names);
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

/** New ids for elements if any of their ids is taken; empty if all are free. */
async function freeIds(db: Database, ids: readonly number[]): Promise<Map<number, number>> {
  if ((await findElementIds(db, ids)).length === 0) return new Map();
  const reserved = await reserveIds(db, 'elements', ids.length);
  return new Map(ids.map((id, index) => [id, reserved[index]!]));
}

/** A branch's previous parent, if it still exists and isn't too deep; otherwise the room's top level. */
function placeOf(places: readonly Node[], parent: number | null, height: number): number | null {
  const ancestors = ancestorsFrom(places, parent);
  return ancestors && ancestors.length + height <= MAX_DEPTH ? parent : null;
}

/**
 * Restores a deleted element with its descendants in a locked room: in its old place, or at the top level if its parent
 * is missing.
 * @throws ApiError invalid if it already exists, or the room is full
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
  if (places.some(({ id }) => id === top.id)) throw new ApiError('invalid', 'This element already exists.');
  checkCount(places.length + rows.length);
  const parent = placeOf(places, top.parent_element_id, heightOf(rows, top));
  checkParent(places, parent);
  const { rows: elements, missing } = await withoutMissingFiles(db, context.organizationId, rows, names);
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
  // The place given by its key, which another element may have by now.
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
 * Restores a deleted element into its room, like `restoreBranchIn`.
 * @throws ApiError invalid if its room is missing or full
 */
export async function restoreBranch(
  db: Database,
  context: CallContext,
  removed: RemovedBranch,
): Promise<Restored & { done: () => void }> {
  const row = await lockRoom(db, context.organizationId, removed.elements[0]!.room_id);
  if (!row) throw new ApiError('invalid', 'The space of this element no longer exists. Restore the space first.');
  const { committed, ...restored } = await restoreBranchIn(db, context, row, removed);
  return { ...restored, done: () => announce(context, row, committed) };
}

/** Reconnects the structures that showed the room, unless they show another one by now. Returns them. */
async function reconnectEndpoints(
  db: Database,
  { organizationId, clock }: CallContext,
  roomId: number,
  endpoints: readonly number[],
): Promise<number[]> {
  if (endpoints.length === 0) return [];
  const rows = await everywhere(db)
    .updateTable('endpoints')
    .set({ room_id: roomId, updated_at: nextTimestamp(clock) })
    .where('organization_id', '=', organizationId)
    .where('id', 'in', endpoints)
    .where('room_id', 'is', null)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Restores a deleted room with its elements and their ids. Missing references are cleared and reported.
 * @throws ApiError invalid if it already exists
 */
export async function restoreRoom(db: Database, context: CallContext, content: RemovedRoom): Promise<Restored> {
  const { organizationId, clock } = context;
  const { room, elements, endpoints, files } = content;
  await lockOrganization(db, organizationId);
  if (await findRoom(db, organizationId, room.id)) throw new ApiError('invalid', 'This space already exists.');
  const missing: string[] = [];
  const template = room.template_id === null ? null : await findTemplate(db, organizationId, room.template_id);
  if (template === undefined) missing.push(`Template ${content.template ?? room.template_id}`);
  const config: RoomConfig = JSON.parse(room.config);
  const marker = config.realtime_file_id ?? null;
  if (marker !== null && !(await findFiles(db, organizationId, [marker])).has(marker)) {
    missing.push(`File ${files[marker] ?? marker}`);
    config.realtime_file_id = null;
  }
  const folder = room.folder_id ? await lockFolder(db, SPACE_FOLDERS, organizationId, room.folder_id) : undefined;
  await insertRoom(db, {
    ...room,
    folder_id: await folderForNew(db, organizationId, folder?.id ?? null),
    template_id: template?.id ?? null,
    config: JSON.stringify(config),
    // Invalidates caches with the earlier revision.
    revision: room.revision + 1,
    touches: room.touches + 1,
    updated_at: nextTimestamp(clock, room.updated_at),
  });
  const { poster } = content;
  if (poster) {
    // Posters deleted before 0.13.0 have no file.
    const { kind, file_id = null, small, large } = poster;
    const source = { file_id, small, large };
    const its = { subject: 'room_id', id: room.id } as const;
    if (file_id === null || (await hasPosterFile(db, organizationId, file_id)))
      await putPoster(db, context, its, kind === 'chosen' ? 'chosen' : 'drawn', source);
  }
  if (elements.length > 0) {
    const put = await restoreElements(db, context, elements, files);
    missing.push(...put.missing);
    if (put.ids.size > 0) await updateRoom(db, room.id, { config: JSON.stringify(remapRoomConfig(config, put.ids)) });
  }
  const endpoint_ids = await reconnectEndpoints(db, context, room.id, endpoints);
  const after = {
    title: room.title,
    elements: elements.length,
    endpoint_ids,
    ...(missing.length > 0 && { missing: [...new Set(missing)] }),
  };
  const about = { entity_id: room.id, room_id: room.id, name: room.title, seq: room.seq };
  await recordChange(db, context, { action: 'restore', entity: 'room', ...about, after });
  return { id: room.id, roomId: room.id, missing: [...new Set(missing)] };
}
