import { applyCommands, type RoomCommand } from '../../../../engine/document/commands.ts';
import { DAY } from '../../../../engine/document/constants.ts';
import {
  descriptors,
  type Element,
  type ElementOf,
  type ElementType,
  type NestedElement,
} from '../../../../engine/document/element.ts';
import { parseRoom, type Room } from '../../../../engine/document/room.ts';
import { nest } from '../../../../engine/document/tree.ts';
import { withOffset } from '../../../../engine/document/window.ts';
import type { ElementRow } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { unpackText } from '../../core/packed-text.ts';
import { WorkInPieces } from '../../core/work-in-pieces.ts';
import { pictureAddress } from '../../providers/live/live-platform.ts';
import { findFiles, findRoomFiles } from '../media/queries.ts';
import type { Undrawn } from '../posters/queries.ts';
import { findTemplate, templateFileIds, templateFromRow } from '../templates/queries.ts';
import { readDocument } from './document-cache.ts';
import { findElement, listElements } from './elements-repository.ts';
import { findBase, findBaseSeq, type LogPart, listEntries, MAX_DOCUMENT_BYTES, sizesOfEntries } from './log-queries.ts';
import { findRoom, holdRoom, type StoredRoom } from './queries.ts';
import { asElementRow, elementFromRow, publicRoom, roomFromRow } from './rows.ts';
import { branchOf } from './tree.ts';

type Broadcast = ElementOf<'live_stream'>;

/** Data of a live stream for a room. */
interface Stream {
  type: string;
  /** Id of the broadcast on its platform. */
  reference: string;
  player_hls_playback_url: string;
}

const streamIdOf = (element: Element): number | null =>
  element.element === 'live_stream' ? element.config.live_stream_id : null;

function fillLiveStream<T extends Element>(element: T, row: Stream | undefined): T {
  if (!row) return element;
  const filled: Partial<Broadcast['config']> = {
    type: row.type as Broadcast['config']['type'],
    id: row.reference,
    src: pictureAddress(row.player_hls_playback_url),
  };
  return { ...element, config: { ...element.config, ...filled } };
}

/** Fills live stream elements with the platform's current image; all other elements are returned unchanged. */
export async function fillLiveStreams<T extends Element>(
  db: Database,
  organizationId: number,
  elements: readonly T[],
): Promise<T[]> {
  const ids = [...new Set(elements.map(streamIdOf))].filter((id) => id !== null);
  if (ids.length === 0) return [...elements];
  const streams = await db
    .selectFrom('live_streams')
    .select(['id', 'type', 'reference', 'player_hls_playback_url'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .execute();
  const rows = new Map(streams.map((row) => [row.id, row]));
  return elements.map((element) => fillLiveStream(element, rows.get(streamIdOf(element) ?? 0)));
}

/** A stored room as a document: elements, template, and file URLs. */
export async function readRoom(db: Database, row: StoredRoom): Promise<Room> {
  const { organization_id, template_id } = row;
  const template = template_id === null ? undefined : await findTemplate(db, organization_id, template_id);
  const files = await findRoomFiles(db, organization_id, row.id, [
    ...(template ? templateFileIds(template) : []),
    JSON.parse(row.config).realtime_file_id,
  ]);
  const flat = (await listElements(db, row.id)).map((element) => elementFromRow(element, files));
  return {
    ...roomFromRow(row, files),
    template: template ? templateFromRow(template, files) : null,
    elements: await fillLiveStreams(db, organization_id, flat),
  };
}

/** Clock sent with a room: now, and the start and end of the day, in seconds since 1970. */
export function timestamps(clock: Clock): Record<`timestamp_${'current' | 'start_of_day' | 'end_of_day'}`, number> {
  const current = clock.now() / 1000;
  const start = Math.floor(current / DAY) * DAY;
  return { timestamp_current: current, timestamp_start_of_day: start, timestamp_end_of_day: start + DAY };
}

/**
 * An element with its descendants, as in a room.
 * @throws ApiError not_found
 */
export async function readBranch(
  { db, clock, organizationId }: CallContext,
  id: number,
): Promise<ElementRow & { children: NestedElement[] }> {
  const now = clock.now() / 1000;
  const row = await findElement(db, organizationId, id);
  if (!row) throw new ApiError('not_found');
  const branch = descriptors[row.element as ElementType].container
    ? branchOf(await listElements(db, row.room_id), row)
    : [row];
  const files = await findFiles(
    db,
    organizationId,
    branch.map(({ file_id }) => file_id),
  );
  const filled = await fillLiveStreams(
    db,
    organizationId,
    branch.map((element) => withOffset(elementFromRow(element, files), now)),
  );
  const [top] = nest(filled);
  const { config, children } = top!;
  return { ...asElementRow(row, files, now), config, children } as ElementRow & { children: NestedElement[] };
}

/** An empty room with a template. */
async function roomOfTemplate(db: Database, organizationId: number, id: number): Promise<Room | null> {
  const row = await findTemplate(db, organizationId, id);
  if (!row) return null;
  const template = templateFromRow(row, await findFiles(db, organizationId, templateFileIds(row)));
  const { width, height, depth } = template;
  const { camera, animate } = template.config;
  const room = parseRoom({ id: 1, title: 'Template', width, height, depth, config: { camera, animate } });
  return { ...room, template_id: id, template };
}

/**
 * The document to draw of a space or template: as visitors see it, without hidden elements. Null if it would be blank.
 */
export async function drawnRoom(
  db: Database,
  { subject, id, organizationId }: Omit<Undrawn, 'version' | 'isPlanned'>,
): Promise<Room | null> {
  if (subject === 'template_id') return roomOfTemplate(db, organizationId, id);
  const row = await findRoom(db, organizationId, id);
  if (!row) return null;
  const { room } = publicRoom(await readRoom(db, row));
  return room.elements.length === 0 && !room.template ? null : room;
}

/** Maximum number of log entries applied to reach a state. */
const MAX_ENTRIES = 5000;
/** Maximum characters of those entries. */
const MAX_CHARACTERS = 16 * 1024 * 1024;

/** A document, and the commands that lead to a state, in order. */
interface Steps {
  from: Room;
  /** Commands of each entry, as JSON. */
  steps: string[];
}

/** The shorter path to a state: backward from the current room, or forward from the base of its log. */
async function findSteps(db: Database, organizationId: number, roomId: number, seq: number): Promise<Steps | null> {
  const row = await holdRoom(db, organizationId, roomId);
  if (!row || seq > row.seq) return null;
  if (seq === row.seq) return { from: await readDocument(db, row), steps: [] };
  const baseSeq = await findBaseSeq(db, roomId);
  if (baseSeq === undefined || seq < baseSeq) return null;
  const [back, on] = [row.seq - seq, seq - baseSeq];
  const isBack = back <= on;
  const limit = Math.min(back, on);
  if (limit > MAX_ENTRIES) return null;
  const part: LogPart = isBack ? { after: seq, limit } : { after: baseSeq, before: seq + 1, limit };
  const sizes = await sizesOfEntries(db, roomId, part);
  if (sizes.length !== limit || sizes.reduce((sum, { size }) => sum + Number(size), 0) > MAX_CHARACTERS) return null;
  const entries = await listEntries(db, roomId, part);
  if (isBack) return { from: await readDocument(db, row), steps: entries.toReversed().map(({ inverses }) => inverses) };
  const base = (await findBase(db, roomId))!;
  const from = parseRoom(JSON.parse(await unpackText(base.content, MAX_DOCUMENT_BYTES)));
  return { from, steps: entries.map(({ commands }) => commands) };
}

/**
 * A room at a position in its log: files by id, without its template.
 * @param seq sequence number of the last included entry
 * @returns null if the room doesn't exist, its log doesn't reach that far, or there are too many entries in between
 */
export async function roomAt(db: Database, organizationId: number, roomId: number, seq: number): Promise<Room | null> {
  // Locked while it is read.
  const find = (locking: Database) => findSteps(locking, organizationId, roomId, seq);
  const found = await (db.isTransaction ? find(db) : db.transaction().execute(find));
  if (!found) return null;
  const work = new WorkInPieces();
  let room = found.from;
  try {
    for (const step of found.steps) {
      room = applyCommands(room, JSON.parse(step) as RoomCommand[]).room;
      await work.pause();
    }
    return room;
  } catch (error) {
    // Something changed outside the log.
    if (error instanceof RangeError) return null;
    throw error;
  }
}
