import { type Insertable, type Selectable, sql } from 'kysely';
import { Draft, type RoomCommand } from '../../../../engine/document/commands.ts';
import { flatRoom, type NestedRoom, nestedRoom } from '../../../../engine/document/room.ts';
import { nest } from '../../../../engine/document/tree.ts';
import type { CommandOrigin, RoomLogEntry } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { authorOf, RESTORABLE_FOR } from '../../core/changes/change-log.ts';
import { type Clock, timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { takeIds } from '../../core/db/reserve-ids.ts';
import { packText, unpackText } from '../../core/packed-text.ts';
import type { Services } from '../../core/services.ts';
import { holdRoom } from './queries.ts';
import type { RoomCommandTable } from './table.ts';

/** A command as calls carry it: a branch as a tree. */
function nested(command: RoomCommand): object {
  if (command.type !== 'element.add') return command;
  const { elements, ...rest } = command;
  return { ...rest, element: nest(elements)[0] };
}

/** An entry of a room's log as the API and open editors get it. */
export const asLogEntry = (row: ListedEntry): RoomLogEntry => ({
  seq: row.seq,
  client: row.client,
  mutation: row.mutation,
  origin: row.origin as CommandOrigin,
  user: authorOf(row),
  at: row.at,
  commands: JSON.parse(row.commands).map(nested),
  inverses: JSON.parse(row.inverses).map(nested),
});

type StoredEntry = Selectable<RoomCommandTable>;
/** An entry of a room's log as it is told: with its author's name. */
type ListedEntry = Omit<StoredEntry, 'author_name'> & { user_name: string | null };

/** The entry that a program sent under a number of its own; undefined where there is none. */
export async function findMutation(
  db: Database,
  roomId: number,
  client: string,
  mutation: number,
): Promise<StoredEntry | undefined> {
  return db
    .selectFrom('room_commands')
    .selectAll()
    .where('room_id', '=', roomId)
    .where('client', '=', client)
    .where('mutation', '=', mutation)
    .executeTakeFirst();
}

export async function insertEntry(db: Database, values: Insertable<RoomCommandTable>): Promise<void> {
  await db.insertInto('room_commands').values(values).execute();
}

/** A part of a room's log. */
export interface LogPart {
  /** Only entries behind this place. */
  after: number;
  /** Only entries in front of this place, and of these the last ones; all without it, and of these the first ones. */
  before?: number | undefined;
  /** Most of them. */
  limit: number;
}

/** Entries of a part of a room's log, in order. */
export async function listEntries(
  db: Database,
  roomId: number,
  { after, before, limit }: LogPart,
): Promise<ListedEntry[]> {
  const entries = await db
    .selectFrom('room_commands')
    .leftJoin('users', 'users.id', 'room_commands.user_id')
    .select(['room_commands.id', 'room_id', 'room_commands.organization_id', 'seq', 'client', 'mutation', 'origin'])
    .select(['user_id', 'at', 'commands', 'inverses', 'ids'])
    .select(({ fn }) => fn.coalesce('users.name', 'room_commands.author_name').as('user_name'))
    .where('room_id', '=', roomId)
    .where('seq', '>', after)
    .$if(before !== undefined, (query) => query.where('seq', '<', before!))
    .orderBy('seq', before === undefined ? 'asc' : 'desc')
    .limit(limit)
    .execute();
  return before === undefined ? entries : entries.reverse();
}

/** Place of the last entry of a room's log; undefined where there is no such room. */
export async function findSeq(db: Database, roomId: number): Promise<number | undefined> {
  const row = await db.selectFrom('rooms').select('seq').where('id', '=', roomId).executeTakeFirst();
  return row?.seq;
}

/** Whether the log of a room tells everything that happened to it after a moment. @param since a stamp of the room */
export async function reachesBack(db: Database, roomId: number, since: string): Promise<boolean> {
  const earlier = await db
    .selectFrom('room_commands')
    .select('seq')
    .where('room_id', '=', roomId)
    .where('at', '<=', since)
    .limit(1)
    .executeTakeFirst();
  // Before its first entry, a log tells everything unless older ones were folded into its base.
  return earlier !== undefined || !(await findBaseSeq(db, roomId));
}

/**
 * The commands of entries after a moment that may concern a room's settings, or one element.
 * @param about id of the element; null for the settings
 * @param limit most entries
 */
export async function listCommandsSince(
  db: Database,
  { roomId, since, about, limit }: { roomId: number; since: string; about: number | null; limit: number },
): Promise<RoomCommand[][]> {
  const named = about === null ? ['%"type":"room.update"%'] : [`%"id":${about},%`, `%"id":${about}}%`];
  const entries = await db
    .selectFrom('room_commands')
    .select('commands')
    .where('room_id', '=', roomId)
    .where('at', '>', since)
    .where(({ eb, or }) => or(named.map((pattern) => eb('commands', 'like', pattern))))
    .limit(limit)
    .execute();
  return entries.map(({ commands }) => JSON.parse(commands));
}

/** The commands of each entry behind a place of a room's log, in order. */
export async function listCommandsAfter(db: Database, roomId: number, after: number): Promise<RoomCommand[][]> {
  const entries = await db
    .selectFrom('room_commands')
    .select('commands')
    .where('room_id', '=', roomId)
    .where('seq', '>', after)
    .orderBy('seq')
    .execute();
  return entries.map(({ commands }) => JSON.parse(commands));
}

/** How many bytes the commands of entries have, those that `listEntries` begins with first. */
export async function sizesOfEntries(
  db: Database,
  roomId: number,
  { after, before, limit }: LogPart,
): Promise<{ seq: number; size: number }[]> {
  return db
    .selectFrom('room_commands')
    .select(['seq', sql<number>`length(commands) + length(inverses)`.as('size')])
    .where('room_id', '=', roomId)
    .where('seq', '>', after)
    .$if(before !== undefined, (query) => query.where('seq', '<', before!))
    .orderBy('seq', before === undefined ? 'asc' : 'desc')
    .limit(limit)
    .execute();
}

/** What a room was before the first entry of its log that is kept; undefined while nothing has changed it. */
export async function findBase(db: Database, roomId: number): Promise<{ seq: number; content: string } | undefined> {
  return db.selectFrom('room_bases').select(['seq', 'content']).where('room_id', '=', roomId).executeTakeFirst();
}

/** After which entry the log of a room begins; undefined while nothing has changed the room. */
export async function findBaseSeq(db: Database, roomId: number): Promise<number | undefined> {
  const row = await db.selectFrom('room_bases').select('seq').where('room_id', '=', roomId).executeTakeFirst();
  return row?.seq;
}

export async function insertBase(
  db: Database,
  values: { room_id: number; organization_id: number; seq: number; content: string },
): Promise<void> {
  await db.insertInto('room_bases').values(values).execute();
}

/** Moves the beginning of a room's log behind an entry: what stood before is in the base. */
async function moveBase(db: Database, roomId: number, seq: number, content: string): Promise<void> {
  await db.updateTable('room_bases').set({ seq, content }).where('room_id', '=', roomId).execute();
  await db.deleteFrom('room_commands').where('room_id', '=', roomId).where('seq', '<=', seq).execute();
}

/** Rooms of which entries are older than a moment, and the last such entry of each. */
async function findOldLogs(
  db: Database,
  before: string,
): Promise<{ room_id: number; organization_id: number; seq: number }[]> {
  return db
    .selectFrom('room_commands')
    .select(['room_id', 'organization_id'])
    .select(({ fn }) => fn.max('seq').as('seq'))
    .where('at', '<', before)
    .groupBy(['room_id', 'organization_id'])
    .execute();
}

/** Milliseconds after which another use of a number is recorded. */
const NOTE_AFTER = 24 * 60 * 60 * 1000;
/** Numbers that a user may hold in one room; the least recently used ones are released. */
const MAX_PER_USER = 500;

/** A client number of a room, and the user who wants to use it. */
interface ClientClaim {
  clock: Clock;
  organizationId: number;
  roomId: number;
  client: string;
  userId: number;
}

const findOwner = (db: Database, { roomId, client }: ClientClaim) =>
  db
    .selectFrom('editor_clients')
    .select(['id', 'user_id', 'at'])
    .where('room_id', '=', roomId)
    .where('client', '=', client)
    .executeTakeFirst();

/** Releases the least recently used numbers of a user beyond the limit. */
async function releaseExcess(db: Database, { roomId, userId }: ClientClaim): Promise<void> {
  const excess = await db
    .selectFrom('editor_clients')
    .select('id')
    .where('room_id', '=', roomId)
    .where('user_id', '=', userId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(100)
    .offset(MAX_PER_USER)
    .execute();
  const ids = excess.map(({ id }) => id);
  if (ids.length > 0) await db.deleteFrom('editor_clients').where('id', 'in', ids).execute();
}

/**
 * Claims a client number for a user, who keeps it across sessions: edits that wait in a browser are sent after the next
 * sign-in. Of several users who claim it at once, one gets it.
 * @throws ApiError client_taken when it belongs to another user
 */
export async function claimClient(db: Database, claim: ClientClaim): Promise<void> {
  const { clock, organizationId, roomId, client, userId } = claim;
  const now = clock.now();
  const at = timestampOf(now);
  let owner = await findOwner(db, claim);
  if (!owner) {
    await db
      .insertInto('editor_clients')
      .values({ room_id: roomId, organization_id: organizationId, client, user_id: userId, at })
      .onConflict((conflict) => conflict.columns(['room_id', 'client']).doNothing())
      .execute();
    await releaseExcess(db, claim);
    owner = await findOwner(db, claim);
  }
  if (owner?.user_id !== userId) throw new ApiError('client_taken');
  if (owner.at < timestampOf(now - NOTE_AFTER))
    await db.updateTable('editor_clients').set({ at }).where('id', '=', owner.id).execute();
}

/** Releases numbers that were last used before a moment. */
async function releaseClientsBefore(db: Database, before: string): Promise<void> {
  await db.deleteFrom('editor_clients').where('at', '<', before).execute();
}

interface Owner {
  clock: Clock;
  organizationId: number;
}

/** Ids in as few ranges as can be. */
function rangesOf(ids: readonly number[]): { first: number; last: number }[] {
  const ranges: { first: number; last: number }[] = [];
  for (const id of ids.toSorted((a, b) => a - b)) {
    const range = ranges.at(-1);
    if (range && range.last === id - 1) range.last = id;
    else ranges.push({ first: id, last: id });
  }
  return ranges;
}

/** Ranges that one statement writes. */
const RANGES_PER_STATEMENT = 1000;

/** Notes that elements of a room may have ids: that are new, or that its elements had before they went. */
export async function grantIds(
  db: Database,
  { clock, organizationId }: Owner,
  roomId: number,
  client: string,
  ids: readonly number[],
): Promise<void> {
  const at = timestampOf(clock.now());
  const rows = rangesOf(ids).map((range) => ({
    room_id: roomId,
    organization_id: organizationId,
    client,
    at,
    ...range,
  }));
  for (let start = 0; start < rows.length; start += RANGES_PER_STATEMENT)
    await db
      .insertInto('element_leases')
      .values(rows.slice(start, start + RANGES_PER_STATEMENT))
      .execute();
}

/** Gives a program ids for elements that it will add to a room: nothing else ever gets them. */
export async function leaseIds(
  db: Database,
  owner: Owner,
  roomId: number,
  client: string,
  count: number,
): Promise<number[]> {
  if (count === 0) return [];
  const ids = await takeIds(db, 'elements', count);
  await grantIds(db, owner, roomId, client, ids);
  return ids;
}

/**
 * The first of these ids that elements of a room may not have; undefined where they may have all. Those that are there may
 * come back in the call that removes them.
 */
export async function findForeignId(db: Database, roomId: number, ids: readonly number[]): Promise<number | undefined> {
  if (ids.length === 0) return undefined;
  const ranges = await db
    .selectFrom('element_leases')
    .select(['first', 'last'])
    .where('room_id', '=', roomId)
    .where('last', '>=', Math.min(...ids))
    .where('first', '<=', Math.max(...ids))
    .execute();
  const others = ids.filter((id) => !ranges.some(({ first, last }) => first <= id && id <= last));
  if (others.length === 0) return undefined;
  const there = await db
    .selectFrom('elements')
    .select('id')
    .where('room_id', '=', roomId)
    .where('id', 'in', others)
    .execute();
  return others.find((id) => !there.some((row) => row.id === id));
}

/** Forgets ids that were given long ago. */
async function deleteLeasesBefore(db: Database, before: string): Promise<void> {
  await db.deleteFrom('element_leases').where('at', '<', before).execute();
}

/** Largest document in bytes: twenty thousand elements with a page of text each. */
export const MAX_DOCUMENT_BYTES = 128 * 1024 * 1024;
/** The day to which the last use of a client number is recorded. */
const DAY = 24 * 60 * 60 * 1000;
/** Entries that are read at once. */
const ENTRIES = 100;

/** Moves the beginning of a room's log behind an entry: what those up to it did becomes part of the base. */
async function foldLog(db: Database, roomId: number, till: number): Promise<void> {
  const base = await findBase(db, roomId);
  if (!base || base.seq >= till) return;
  const draft = new Draft(flatRoom(JSON.parse(await unpackText(base.content, MAX_DOCUMENT_BYTES)) as NestedRoom));
  for (let seq = base.seq; seq < till; ) {
    const entries = (await listEntries(db, roomId, { after: seq, limit: ENTRIES })).filter(
      (entry) => entry.seq <= till,
    );
    if (entries.length === 0) return;
    for (const { commands } of entries)
      for (const command of JSON.parse(commands) as RoomCommand[]) draft.apply(command);
    seq = entries.at(-1)!.seq;
  }
  await moveBase(db, roomId, till, await packText(JSON.stringify(nestedRoom(draft.room))));
}

/** Forgets entries of rooms' logs after 30 days, as what was removed, and ids that were given for new elements by then. */
export async function foldLogs({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const before = timestampOf(clock.now() - RESTORABLE_FOR);
  for (const { room_id, organization_id, seq } of await findOldLogs(db, before))
    await db.transaction().execute(async (locking) => {
      // Nobody adds to the log meanwhile.
      if (await holdRoom(locking, organization_id, room_id)) await foldLog(locking, room_id, Number(seq));
    });
  await deleteLeasesBefore(db, before);
  // Later than the log: a number is used by nobody else while entries under it can still be asked for.
  await releaseClientsBefore(db, timestampOf(clock.now() - RESTORABLE_FOR - DAY));
}
