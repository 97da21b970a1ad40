import { type Insertable, type Selectable, sql } from 'kysely';
import type { RoomCommand } from '../../../../engine/document/commands.ts';
import type { Database } from '../../core/db/database.ts';
import type { RoomCommandTable } from './table.ts';

export type StoredEntry = Selectable<RoomCommandTable>;
/** An entry of a room's log as it is told: with its author's name. */
export type ListedEntry = Omit<StoredEntry, 'author_name'> & { user_name: string | null };

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
export async function moveBase(db: Database, roomId: number, seq: number, content: string): Promise<void> {
  await db.updateTable('room_bases').set({ seq, content }).where('room_id', '=', roomId).execute();
  await db.deleteFrom('room_commands').where('room_id', '=', roomId).where('seq', '<=', seq).execute();
}

/** Rooms of which entries are older than a moment, and the last such entry of each. */
export async function findOldLogs(
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
