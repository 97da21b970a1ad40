import { LRUCache } from 'lru-cache';
import { accessibilityFindings } from '../../../../engine/document/lint/accessibility.ts';
import { ACCESSIBILITY_CODES, type AccessibilityCode } from '../../../../engine/document/lint/accessibility-codes.ts';
import type { Room } from '../../../../engine/document/room.ts';
import { shownElements } from '../../../../engine/document/tree.ts';
import type { Database } from '../../core/db/database.ts';
import { everywhere } from '../../core/db/limited.ts';
import type { Services } from '../../core/services.ts';
import { WorkInPieces } from '../../core/work-in-pieces.ts';
import { listEndpoints } from '../endpoints/queries.ts';
import { readRevisionRoom, type ShownState, shownStates, stateKey } from '../publications/published.ts';
import { findRoom } from '../rooms/queries.ts';
import { readRoom } from '../rooms/read-room.ts';
import { reachableEndpoints } from '../visits/shown-rooms.ts';

/** Maximum number of published rooms in an organization's statement, the most recently changed first. */
const MAX_ROOMS = 200;

/** Number of findings by code; codes without findings are missing. */
export type FindingCounts = ReadonlyMap<AccessibilityCode, number>;

/** Maximum number of rooms and revisions with cached counts. */
const MAX_COUNTS = 20_000;

/** Maximum number of rooms in counts of all spaces, the most recently changed first. */
const MAX_CHECKED = 5000;

/** Maximum number of rooms that one request reads; later requests count on. */
const MAX_READ = 200;

const NOTHING_FOUND: FindingCounts = new Map();

/** Cached counts by database, and by room and revision. */
const memories = new WeakMap<object, LRUCache<string, FindingCounts>>();

function memoryOf(db: Database): LRUCache<string, FindingCounts> {
  // A limited user's database is another one for each request.
  const whole = everywhere(db);
  const memory = memories.get(whole) ?? new LRUCache<string, FindingCounts>({ max: MAX_COUNTS });
  memories.set(whole, memory);
  return memory;
}

/** The counts of a room, from the cache if it was counted before. @param key changes with the room */
async function countsOf(db: Database, key: string, read: () => Promise<Room | undefined>): Promise<FindingCounts> {
  const memory = memoryOf(db);
  const known = memory.get(key);
  if (known) return known;
  const room = await read();
  if (!room) return NOTHING_FOUND;
  const found = Map.groupBy(accessibilityFindings(room), ({ code }) => code);
  const counts = found.size === 0 ? NOTHING_FOUND : new Map([...found].map(([code, { length }]) => [code, length]));
  memory.set(key, counts);
  return counts;
}

const newestRooms = (db: Database, organizationId: number) =>
  db
    .selectFrom('rooms')
    .where('organization_id', '=', organizationId)
    .where('branch_of', 'is', null)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc');

/** The version of each template, which room counts depend on. */
async function templateVersions(db: Database, organizationId: number): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom('templates')
    .select(['id', 'updated_at'])
    .where('organization_id', '=', organizationId)
    .execute();
  return new Map(rows.map(({ id, updated_at }) => [id, updated_at]));
}

/** A checked room with its findings. */
export interface CheckedRoom {
  id: number;
  name: string;
  counts: FindingCounts;
}

/**
 * Checks the most recently changed rooms that the caller may see, as they are edited. Counts are cached until a room
 * changes; a request reads 200 rooms at most, so that the first ones in a large organization check only some.
 */
export async function checkRooms(
  db: Database,
  organizationId: number,
): Promise<{ checked: CheckedRoom[]; total: number }> {
  const rooms = await newestRooms(db, organizationId)
    .select(['id', 'name', 'revision', 'template_id'])
    .limit(MAX_CHECKED)
    .execute();
  const { total } =
    rooms.length < MAX_CHECKED
      ? { total: rooms.length }
      : await db
          .selectFrom('rooms')
          .select(({ fn }) => fn.countAll<number>().as('total'))
          .where('organization_id', '=', organizationId)
          .where('branch_of', 'is', null)
          .executeTakeFirstOrThrow();
  const versions = await templateVersions(db, organizationId);
  const memory = memoryOf(db);
  const work = new WorkInPieces();
  const checked: CheckedRoom[] = [];
  let read = 0;
  for (const { id, name, revision, template_id } of rooms) {
    const key = `room ${id} ${revision} ${versions.get(template_id ?? 0)}`;
    if (!memory.has(key) && ++read > MAX_READ) continue;
    const counts = await countsOf(db, key, async () => {
      const row = await findRoom(db, organizationId, id);
      return row && readRoom(db, row);
    });
    checked.push({ id, name, counts });
    await work.pause();
  }
  return { checked, total: Number(total) };
}

/** Codes of content that has no alternative at all. */
const MISSING = ACCESSIBILITY_CODES.filter((code) => /-without-(?:alternative|transcript)$/.test(code));

/** Number of missing alternatives and transcripts in the checked rooms, and of the rooms that miss any. */
export function countMissing(checked: readonly CheckedRoom[]): { count: number; rooms: number } {
  const missing = checked.map(({ counts }) => MISSING.reduce((sum, code) => sum + (counts.get(code) ?? 0), 0));
  return { count: missing.reduce((sum, each) => sum + each, 0), rooms: missing.filter((each) => each > 0).length };
}

/** A room without the elements that visitors never see. */
const shownRoom = (room: Room): Room => ({ ...room, elements: shownElements(room.elements) });

/** Counts the findings of a room as visitors see it. */
async function countsOfState(
  db: Database,
  organizationId: number,
  { roomId, revisionId }: ShownState,
  version: number,
): Promise<FindingCounts> {
  if (revisionId !== null)
    return countsOf(db, `revision ${revisionId}`, async () => {
      const room = await readRevisionRoom(db, organizationId, revisionId);
      return room && shownRoom(room);
    });
  return countsOf(db, `shown ${roomId} ${version}`, async () => {
    const row = await findRoom(db, organizationId, roomId);
    return row && shownRoom(await readRoom(db, row));
  });
}

/** Findings in published rooms. */
export interface PublishedFindings {
  counts: FindingCounts;
  /** Number of checked rooms: the most recently changed ones. */
  checked: number;
  /** Number of published rooms. */
  total: number;
}

type Counting = Pick<Services, 'db' | 'clock'>;

/** Counts that are being made by database and organization: requests at the same time share one. */
const running = new WeakMap<object, Map<number, Promise<PublishedFindings>>>();

/** Findings in the rooms that an organization's visitors can reach, with or without a token, by code. */
export function countPublished(services: Counting, organizationId: number): Promise<PublishedFindings> {
  const counts = running.get(services.db) ?? new Map<number, Promise<PublishedFindings>>();
  running.set(services.db, counts);
  const shared =
    counts.get(organizationId) ?? countNow(services, organizationId).finally(() => counts.delete(organizationId));
  counts.set(organizationId, shared);
  return shared;
}

async function countNow(services: Counting, organizationId: number): Promise<PublishedFindings> {
  const { db } = services;
  const endpoints = reachableEndpoints(await listEndpoints(db, organizationId));
  const stateOf = await shownStates(services, endpoints);
  const states = new Map(endpoints.flatMap((each) => stateOf(each) ?? []).map((state) => [stateKey(state), state]));
  const byRoom = Map.groupBy(states.values(), ({ roomId }) => roomId);
  const rooms = await newestRooms(db, organizationId).select(['id', 'revision']).execute();
  const shown = rooms.filter(({ id }) => byRoom.has(id)).slice(0, MAX_ROOMS);
  const counts = new Map<AccessibilityCode, number>();
  const work = new WorkInPieces();
  for (const { id, revision } of shown)
    for (const state of byRoom.get(id)!) {
      for (const [code, count] of await countsOfState(db, organizationId, state, revision))
        counts.set(code, (counts.get(code) ?? 0) + count);
      await work.pause();
    }
  return { counts, checked: shown.length, total: byRoom.size };
}

/** Findings by code in the order of the codes, each with its rooms, most findings first. */
export const findingsByCode = (checked: readonly CheckedRoom[]) =>
  ACCESSIBILITY_CODES.map((code) => {
    const rooms = checked
      .flatMap(({ id, name, counts }) => {
        const count = counts.get(code) ?? 0;
        return count > 0 ? [{ id, name, count }] : [];
      })
      .toSorted((a, b) => b.count - a.count);
    return { code, rooms, count: rooms.reduce((sum, { count }) => sum + count, 0) };
  }).filter(({ count }) => count > 0);
