import { sql } from 'kysely';
import { timestampOf } from '../../base/clock.ts';
import { type Database, isPostgres } from '../../base/db/database.ts';
import { readNote, STATISTICS_NOTE, writeNote } from '../../base/db/notes.ts';
import type { Services } from '../services.ts';

const HOUR_MS = 60 * 60 * 1000;
/** Milliseconds after the end of an hour for which what was written in it may still appear: a transaction takes its time. */
const LATE = 10 * 60 * 1000;

/** The hour of a moment, such as 2026-03-10T12. */
export const hourOf = (milliseconds: number): string => timestampOf(milliseconds).slice(0, 13);

/** Counts one hour anew, from all that was noted in it: however often it is done, the same comes of it. */
async function countHour(db: Database, hour: string): Promise<void> {
  const next = hourOf(Date.parse(`${hour}:00:00Z`) + HOUR_MS);
  const day = hour.slice(0, 10);
  await db.deleteFrom('statistics_hours').where('hour', '=', hour).execute();
  await sql`
    insert into statistics_hours (organization_id, endpoint_id, hour, kind, subject, other_id, count, amount)
    select organization_id, endpoint_id, cast(${hour} as text), kind, subject, other_id, count(*), sum(amount)
    from statistics_events where at >= ${hour} and at < ${next}
    group by organization_id, endpoint_id, kind, subject, other_id
  `.execute(db);
  // A visitor counts in the first hour of the day only, so that hours can be added up.
  await sql`
    insert into statistics_hours (organization_id, endpoint_id, hour, kind, subject, other_id, count, amount)
    select organization_id, endpoint_id, cast(${hour} as text), 'visitor', '', 0, count(*), 0
    from (
      select organization_id, endpoint_id, min(at) as came
      from statistics_events where kind = 'visit' and at >= ${day} and at < ${next}
      group by organization_id, endpoint_id, visitor
    ) as visitors
    where came >= ${hour} group by organization_id, endpoint_id
  `.execute(db);
  await sql`
    insert into statistics_hours (organization_id, endpoint_id, hour, kind, subject, other_id, count, amount)
    select organization_id, endpoint_id, cast(${hour} as text), 'first_visitor', '', 0, count(*), 0
    from (
      select organization_id, endpoint_id, at,
        row_number() over (partition by organization_id, visitor order by at, id) as place
      from statistics_events where kind = 'visit' and at >= ${day} and at < ${next}
    ) as visits
    where place = 1 and at >= ${hour} group by organization_id, endpoint_id
  `.execute(db);
}

/** Whether this transaction is the one that counts: of several servers, one does at a time. */
async function takesTurn(db: Database): Promise<boolean> {
  if (!isPostgres(db)) return true;
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('statistics', 0)) as taken
  `.execute(db);
  return rows[0]?.taken === true;
}

/** The first and the last that was noted. */
async function boundsOf(db: Database): Promise<{ first: string; last: number } | null> {
  const events = db.selectFrom('statistics_events').select(['id', 'at']).limit(1);
  const first = await events.orderBy('at').executeTakeFirst();
  const last = await events.orderBy('id', 'desc').executeTakeFirst();
  return first && last ? { first: first.at, last: last.id } : null;
}

/**
 * Brings the figures by hour up to date: the hours since it was done last, each in a transaction of its own. Another server
 * that does the same meanwhile is left to it. Nothing happens where nothing was noted since.
 */
export async function rollUp({ db: database, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  const before = await readNote(database, STATISTICS_NOTE);
  const bounds = await boundsOf(database);
  if (!bounds || (before?.last === bounds.last && before.till === hourOf(now))) return;
  // Earlier hours stay as they are: what they were counted from may have been forgotten.
  const from = before === null ? Date.parse(bounds.first) : Date.parse(before.at) - LATE;
  for (let at = from; hourOf(at) <= hourOf(now); at += HOUR_MS) {
    const isDone = await database.transaction().execute(async (db) => {
      if (!(await takesTurn(db))) return false;
      await countHour(db, hourOf(at));
      return true;
    });
    if (!isDone) return;
  }
  await writeNote(database, clock, STATISTICS_NOTE, { last: bounds.last, till: hourOf(now), at: timestampOf(now) });
}
