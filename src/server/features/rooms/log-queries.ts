import { type Insertable, type Selectable, sql } from 'kysely';
import { Draft, type RoomCommand } from '../../../../engine/document/commands.ts';
import { flatRoom, type NestedRoom, nestedRoom } from '../../../../engine/document/room.ts';
import { nest } from '../../../../engine/document/tree.ts';
import type { CommandOrigin, RoomLogEntry } from '../../../contract/entities.ts';
import { authorOf, RESTORABLE_FOR } from '../../core/changes/change-log.ts';
import { type Clock, timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { prepared, preparedForRow } from '../../core/db/prepared.ts';
import { takeIds } from '../../core/db/reserve-ids.ts';
import { packText, unpackText } from '../../core/packed-text.ts';
import type { Services } from '../../core/services.ts';
import { releaseClientsBefore } from './client-claims.ts';
import { holdRoom } from './queries.ts';
import type { RoomCommandTable } from './table.ts';

/** A command as in API calls: a branch as a tree. */
function nested(command: RoomCommand): RoomLogEntry['commands'][number] {
  if (command.type !== 'element.add') return { ...command };
  const { elements, ...rest } = command;
  return { ...rest, element: nest(elements)[0] };
}

/** A log entry with its commands as they are stored. */
type FlatEntry = Omit<RoomLogEntry, 'commands' | 'inverses'> & Record<'commands' | 'inverses', readonly RoomCommand[]>;

/** A room's log entry in the API and for open editors. */
export const nestedEntry = ({ commands, inverses, ...entry }: FlatEntry): RoomLogEntry => ({
  ...entry,
  commands: commands.map(nested),
  inverses: inverses.map(nested),
});

/** A stored log entry in the API and for open editors. */
export const asLogEntry = (row: ListedEntry): RoomLogEntry =>
  nestedEntry({
    seq: row.seq,
    client: row.client,
    mutation: row.mutation,
    origin: row.origin as CommandOrigin,
    user: authorOf(row),
    at: row.at,
    commands: JSON.parse(row.commands),
    inverses: JSON.parse(row.inverses),
  });

type StoredEntry = Selectable<RoomCommandTable>;
/** A room's log entry with its author's name. */
type ListedEntry = Omit<StoredEntry, 'author_name'> & { user_name: string | null };

const entryOfMutation = prepared((db, roomId: number, client: string, mutation: number) =>
  db
    .selectFrom('room_commands')
    .selectAll()
    .where('room_id', '=', roomId)
    .where('client', '=', client)
    .where('mutation', '=', mutation),
);

/** The entry with a client's own number; undefined if there is none. */
export async function findMutation(
  db: Database,
  roomId: number,
  client: string,
  mutation: number,
): Promise<StoredEntry | undefined> {
  const [row] = await entryOfMutation(db, roomId, client, mutation);
  return row;
}

type NewEntry = Omit<Insertable<RoomCommandTable>, 'id' | 'author_name'>;

const entryInsert = preparedForRow<NewEntry, unknown>(
  [
    ...(['room_id', 'organization_id', 'seq', 'client', 'mutation', 'origin', 'user_id', 'at'] as const),
    ...(['commands', 'inverses', 'ids'] as const),
  ],
  (db, row) => db.insertInto('room_commands').values(row),
);

export async function insertEntry(db: Database, values: NewEntry): Promise<void> {
  await entryInsert(db, values);
}

/** A range of a room's log. */
export interface LogPart {
  /** Only entries after this sequence number. */
  after: number;
  /** Only entries before this sequence number, and the last of these; without it, the first ones. */
  before?: number | undefined;
  /** Maximum number of entries. */
  limit: number;
}

/** Entries of a range of a room's log, in order. */
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

const countsOfRoom = prepared((db, roomId: number) =>
  db.selectFrom('rooms').select(['seq', 'touches']).where('id', '=', roomId),
);

/** Last sequence number of a room's log, and the version of its files and streams; undefined if the room doesn't exist. */
export async function findCounts(db: Database, roomId: number): Promise<{ seq: number; touches: number } | undefined> {
  const [row] = await countsOfRoom(db, roomId);
  return row;
}

/** Whether a room's log contains all changes since a time. @param since a timestamp of the room */
export async function reachesBack(db: Database, roomId: number, since: string): Promise<boolean> {
  const earlier = await db
    .selectFrom('room_commands')
    .select('seq')
    .where('room_id', '=', roomId)
    .where('at', '<=', since)
    .limit(1)
    .executeTakeFirst();
  // Before its first entry, a log is complete unless older entries were folded into its base.
  return earlier !== undefined || !(await findBaseSeq(db, roomId));
}

/**
 * Commands since a time that may affect a room's settings, or one element.
 * @param about id of the element; null for the settings
 * @param limit maximum number of entries
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

/** Commands of each entry after a position in a room's log, in order. */
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

/** Size in bytes of each entry's commands, in the order of `listEntries`. */
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

/** A room's document before its first retained log entry; undefined if it has never changed. */
export async function findBase(db: Database, roomId: number): Promise<{ seq: number; content: string } | undefined> {
  return db.selectFrom('room_bases').select(['seq', 'content']).where('room_id', '=', roomId).executeTakeFirst();
}

const seqOfBase = prepared((db, roomId: number) =>
  db.selectFrom('room_bases').select('seq').where('room_id', '=', roomId),
);

/** Sequence number of the base of a room's log; undefined if the room has never changed. */
export async function findBaseSeq(db: Database, roomId: number): Promise<number | undefined> {
  const [row] = await seqOfBase(db, roomId);
  return row?.seq;
}

export async function insertBase(
  db: Database,
  values: { room_id: number; organization_id: number; seq: number; content: string },
): Promise<void> {
  await db.insertInto('room_bases').values(values).execute();
}

/** Advances the base of a room's log; earlier entries are folded into it. */
async function moveBase(db: Database, roomId: number, seq: number, content: string): Promise<void> {
  await db.updateTable('room_bases').set({ seq, content }).where('room_id', '=', roomId).execute();
  await db.deleteFrom('room_commands').where('room_id', '=', roomId).where('seq', '<=', seq).execute();
}

/** Rooms with entries older than a time, and the last such entry of each. */
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

interface Owner {
  clock: Clock;
  organizationId: number;
}

/** Merges ids into as few ranges as possible. */
function rangesOf(ids: readonly number[]): { first: number; last: number }[] {
  const ranges: { first: number; last: number }[] = [];
  for (const id of ids.toSorted((a, b) => a - b)) {
    const range = ranges.at(-1);
    if (range && range.last === id - 1) range.last = id;
    else ranges.push({ first: id, last: id });
  }
  return ranges;
}

/** Ranges per statement. */
const RANGES_PER_STATEMENT = 1000;

/** Permits ids for elements of a room: new ones, or those of deleted elements. */
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

/** Reserves ids for elements that a client will add to a room: they are never assigned elsewhere. */
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
 * The first of these ids that is not permitted in a room; undefined if all are. Existing elements may be re-added in
 * the call that removes them.
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

/** Deletes expired reservations. */
async function deleteLeasesBefore(db: Database, before: string): Promise<void> {
  await db.deleteFrom('element_leases').where('at', '<', before).execute();
}

/** Maximum document size in bytes: twenty thousand elements with a page of text each. */
export const MAX_DOCUMENT_BYTES = 128 * 1024 * 1024;
/** Precision with which the last use of a client number is recorded, in milliseconds. */
const DAY = 24 * 60 * 60 * 1000;
/** Entries per read. */
const ENTRIES = 100;

/** Folds a room's log up to an entry into its base. */
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

/** Folds log entries older than 30 days, as for deleted entities, and deletes expired id reservations. */
export async function foldLogs({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const before = timestampOf(clock.now() - RESTORABLE_FOR);
  for (const { room_id, organization_id, seq } of await findOldLogs(db, before))
    await db.transaction().execute(async (locking) => {
      // Locked, so that nothing is added to the log meanwhile.
      if (await holdRoom(locking, organization_id, room_id)) await foldLog(locking, room_id, Number(seq));
    });
  await deleteLeasesBefore(db, before);
  // Later than the log: a number isn't reassigned while entries with it can still be queried.
  await releaseClientsBefore(db, timestampOf(clock.now() - RESTORABLE_FOR - DAY));
}
