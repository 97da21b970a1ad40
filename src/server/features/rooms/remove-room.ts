import type { Room } from '../../../../engine/document/room.ts';
import { ApiError } from '../../../contract/errors.ts';
import { type Author, recordChange } from '../../core/changes/record-change.ts';
import type { NewRecord } from '../../core/changes/records.ts';
import type { Database } from '../../core/db/database.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { fileNames, findRoomFiles } from '../media/queries.ts';
import { keepForBin } from '../posters/poster-files.ts';
import { readPosterRow, type StoredPoster } from '../posters/posters-repository.ts';
import { findTemplate } from '../templates/queries.ts';
import { elementFromRow, type StoredElement } from './element-row.ts';
import { listElements } from './elements-repository.ts';
import { roomFromRow } from './room-row.ts';
import { deleteRoom, lockRoom, type StoredRoom } from './rooms-repository.ts';

/** What restores a removed room. */
export interface RemovedRoom {
  room: StoredRoom;
  /** Rows of its elements, parents first. */
  elements: StoredElement[];
  /** Structures that showed it. */
  endpoints: number[];
  /** Name of its template; null for none. */
  template: string | null;
  /** Names of the files that it used, by id. */
  files: Record<string, string>;
  /** Its poster. */
  poster?: StoredPoster;
}

/** A document of recorded rows. */
export function roomOfRows({ room, elements }: Pick<RemovedRoom, 'room' | 'elements'>): Room {
  const flat = elements.map((element) => elementFromRow(element, new Map()));
  return { ...roomFromRow(room, new Map()), template: null, elements: flat };
}

/** Entries of a log that one record has: each can be large. */
const ENTRIES_PER_RECORD = 50;

/** Records of a room that is removed, with its log: whatever happened to it before can still be reverted. */
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
 * Removes a room with its elements within the caller's transaction; the bin restores them for a while.
 * @returns what restores it
 * @throws ApiError not_found
 */
export async function removeRoomIn(db: Database, author: Author, id: number): Promise<RemovedRoom> {
  const { organizationId } = author;
  const room = await lockRoom(db, organizationId, id);
  if (!room) throw new ApiError('not_found');
  const elements = await listElements(db, id);
  const shown = await db.selectFrom('endpoints').select('id').where('room_id', '=', id).orderBy('id').execute();
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
 * Removes a room with its elements; the bin restores them for a while.
 * @throws ApiError not_found
 */
export async function removeRoom(context: CallContext, id: number): Promise<void> {
  await context.db.transaction().execute(async (db) => {
    await removeRoomIn(db, context, id);
  });
}
