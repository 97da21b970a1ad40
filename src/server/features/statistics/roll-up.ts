import { setTimeout as passed } from 'node:timers/promises';
import { sql } from 'kysely';
import { instantOf } from '../../../../engine/document/time-zone.ts';
import type { StatisticsInterval } from '../../../contract/entities.ts';
import { timestampOf } from '../../core/clock.ts';
import { type Database, isPostgres } from '../../core/db/database.ts';
import type { Services } from '../../core/services.ts';
import { OTHER_SITE } from './queries.ts';

/** Events per transaction: holds SQLite's write lock for a few milliseconds. */
export const SLICE = 300;
/** Milliseconds between transactions, during which the server's own writes get SQLite's lock. */
export const PAUSE = 20;
/** Maximum distinct embedding sites per organization and day; further ones count as `OTHER_SITE`. */
export const MAX_SITES = 200;

/** The hour of an instant, such as 2026-03-10T12. */
export const hourOf = (milliseconds: number): string => timestampOf(milliseconds).slice(0, 13);

type Slice = readonly number[];

const ADD = sql`
  on conflict (hour, organization_id, endpoint_id, kind, subject, other_id) do update
  set count = statistics_hours.count + excluded.count, amount = statistics_hours.amount + excluded.amount
`;

/** Renames embedding sites over an organization's daily limit. */
async function foldSites(db: Database, slice: Slice): Promise<void> {
  const found = await db
    .selectFrom('statistics_events')
    .select(['organization_id', 'subject'])
    .select(sql<string>`substr(at, 1, 10)`.as('day'))
    .distinct()
    .where('id', 'in', slice)
    .where('kind', '=', 'site')
    .execute();
  for (const rows of Map.groupBy(found, ({ organization_id, day }) => `${organization_id} ${day}`).values()) {
    const [{ organization_id, day }] = rows as [(typeof rows)[number]];
    const known = await db
      .selectFrom('statistics_hours')
      .select('subject')
      .distinct()
      .where('organization_id', '=', organization_id)
      .where('kind', '=', 'site')
      .where('hour', '>=', day)
      .where('hour', '<', `${day}T99`)
      .execute();
    const names = new Set(known.map(({ subject }) => subject));
    const excess: string[] = [];
    for (const { subject } of rows) {
      if (names.has(subject)) continue;
      if (names.size < MAX_SITES) names.add(subject);
      else excess.push(subject);
    }
    if (excess.length > 0)
      await db
        .updateTable('statistics_events')
        .set({ subject: OTHER_SITE })
        .where('id', 'in', slice)
        .where('organization_id', '=', organization_id)
        .where('kind', '=', 'site')
        .where('subject', 'in', excess)
        .execute();
  }
}

/** Counts visitors in the hour of their first visit of the day. @param within scope in which a visitor counts once */
async function addVisitors(db: Database, slice: Slice, within: 'endpoint_id' | 'organization_id'): Promise<void> {
  const kind = within === 'endpoint_id' ? 'visitor' : 'first_visitor';
  const column = sql.ref(within);
  await sql`
    insert into statistics_hours (organization_id, endpoint_id, hour, kind, subject, other_id, count, amount)
    select organization_id, endpoint_id, substr(at, 1, 13), cast(${kind} as text), '', 0, count(*), 0
    from (
      select organization_id, endpoint_id, at,
        row_number() over (partition by ${column}, visitor, substr(at, 1, 10) order by at, id) as place
      from statistics_events as event
      where id in (${sql.join(slice)}) and kind = 'visit' and visitor is not null and not exists (
        select 1 from statistics_events as earlier
        where earlier.visitor = event.visitor and earlier.${column} = event.${column} and earlier.kind = 'visit'
          and earlier.is_counted = 1 and substr(earlier.at, 1, 10) = substr(event.at, 1, 10)
      )
    ) as visits
    where place = 1 group by organization_id, endpoint_id, substr(at, 1, 13)
    ${ADD}
  `.execute(db);
}

/** Adds events to their hours' figures. */
async function addSlice(db: Database, slice: Slice): Promise<void> {
  await foldSites(db, slice);
  await sql`
    insert into statistics_hours (organization_id, endpoint_id, hour, kind, subject, other_id, count, amount)
    select organization_id, endpoint_id, substr(at, 1, 13), kind, subject, other_id, sum(count), sum(amount)
    from statistics_events where id in (${sql.join(slice)})
    group by organization_id, endpoint_id, substr(at, 1, 13), kind, subject, other_id
    ${ADD}
  `.execute(db);
  await addVisitors(db, slice, 'endpoint_id');
  await addVisitors(db, slice, 'organization_id');
  await db.updateTable('statistics_events').set({ is_counted: 1 }).where('id', 'in', slice).execute();
}

/** Whether this transaction may count: only one server does at a time. */
async function takesTurn(db: Database): Promise<boolean> {
  if (!isPostgres(db)) return true;
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('statistics', 0)) as taken
  `.execute(db);
  return rows[0]?.taken === true;
}

/** Whether there are uncounted events. */
export const hasUncounted = async (db: Database): Promise<boolean> =>
  (await db.selectFrom('statistics_events').select('id').where('is_counted', '=', 0).limit(1).executeTakeFirst()) !==
  undefined;

/**
 * Adds new events to the hourly figures, each once: a limited number per transaction, with pauses in between. If
 * another server is counting, it stops.
 * @returns number of events in each slice
 */
export async function rollUp({ db: database }: Pick<Services, 'db'>): Promise<number[]> {
  const slices: number[] = [];
  for (;;) {
    const count = await database.transaction().execute(async (db) => {
      if (!(await takesTurn(db))) return 0;
      const rows = await db
        .selectFrom('statistics_events')
        .select('id')
        .where('is_counted', '=', 0)
        .orderBy('id')
        .limit(SLICE)
        .execute();
      const slice = rows.map(({ id }) => id);
      if (slice.length > 0) await addSlice(db, slice);
      return slice.length;
    });
    if (count > 0) slices.push(count);
    if (count < SLICE) return slices;
    await passed(PAUSE);
  }
}

/** Tables that PostgreSQL partitions by month. */
const MONTHLY_TABLES = ['statistics_events', 'statistics_hours', 'statistics_poses'] as const;
type MonthlyTable = (typeof MONTHLY_TABLES)[number];

/**
 * Errors if the partition exists, the default partition contains rows of the month, or another server is creating it.
 */
const THERE_ALREADY = new Set(['42P07', '42P17', '23514', '23505']);

/** The month of a timestamp, such as 2026-03. */
const monthOf = (stamp: string): string => stamp.slice(0, 7);

/** The month after another. */
function nextMonth(month: string): string {
  const [year, number] = month.split('-').map(Number);
  return new Date(Date.UTC(year!, number!, 1)).toISOString().slice(0, 7);
}

const partOf = (table: MonthlyTable, month: string): string => `${table}_${month.replace('-', '_')}`;

/** Creates PostgreSQL's partitions for the month of a timestamp and the next one. SQLite has no partitions. */
export async function prepareMonths(db: Database, stamp: string): Promise<void> {
  if (!isPostgres(db)) return;
  const month = monthOf(stamp);
  for (const table of MONTHLY_TABLES)
    for (const from of [month, nextMonth(month)])
      await sql
        .raw(
          `create table if not exists ${partOf(table, from)} partition of ${table} for values from ('${from}') to ('${nextMonth(from)}')`,
        )
        .execute(db)
        .catch((error: { code?: string }) => {
          if (!THERE_ALREADY.has(error.code ?? '')) throw error;
        });
}

/** The months with partitions of a table, in order. */
async function monthsOf(db: Database, table: MonthlyTable): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select child.relname as name from pg_inherits
    join pg_class as child on child.oid = pg_inherits.inhrelid
    where pg_inherits.inhparent = ${table}::regclass order by child.relname
  `.execute(db);
  return rows.flatMap(({ name }) => /_(\d{4})_(\d{2})$/.exec(name)?.slice(1).join('-') ?? []);
}

/**
 * Deletes rows older than a time: whole partitions in PostgreSQL, the rest row by row.
 * @param before timestamp, or hour
 */
export async function forgetBefore(db: Database, table: MonthlyTable, before: string): Promise<void> {
  if (isPostgres(db))
    for (const month of await monthsOf(db, table))
      if (nextMonth(month) <= monthOf(before))
        await sql`drop table if exists ${sql.table(partOf(table, month))}`.execute(db);
  if (table === 'statistics_hours') await db.deleteFrom(table).where('hour', '<', before).execute();
  else await db.deleteFrom(table).where('at', '<', before).execute();
}

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** The date in a time zone at an instant, such as 2026-03-10. */
const dateIn = (zone: string, instant: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    instant,
  );

/** A date plus some days. */
const daysAfter = (date: string, days: number): string =>
  timestampOf(Date.parse(`${date}T00:00Z`) + days * DAY_MS).slice(0, 10);

/** First date of the interval that contains a date. */
function beginningOf(date: string, interval: Exclude<StatisticsInterval, 'hour'>): string {
  if (interval === 'month') return `${date.slice(0, 7)}-01`;
  // Weeks begin on Monday (ISO 8601).
  return interval === 'week' ? daysAfter(date, -((new Date(`${date}T00:00Z`).getUTCDay() + 6) % 7)) : date;
}

/** First date of the next interval. */
function dateAfter(date: string, interval: Exclude<StatisticsInterval, 'hour'>): string {
  if (interval === 'month') return `${daysAfter(`${date.slice(0, 7)}-28`, 4).slice(0, 7)}-01`;
  return daysAfter(date, interval === 'week' ? 7 : 1);
}

/**
 * Start times of a range's intervals: the first is the range's start, others follow the calendar in the time zone.
 * @param from instant in milliseconds, like `till`
 * @returns instants in ascending order
 */
export function stepsOf(from: number, till: number, interval: StatisticsInterval, zone: string): number[] {
  const steps = [from];
  if (interval === 'hour') {
    for (let at = from + HOUR_MS; at < till; at += HOUR_MS) steps.push(at);
    return steps;
  }
  let date = beginningOf(dateIn(zone, from), interval);
  for (;;) {
    date = dateAfter(date, interval);
    const at = instantOf(Date.parse(`${date}T00:00Z`) / 1000, zone) * 1000;
    if (at >= till) return steps;
    if (at > from) steps.push(at);
  }
}
