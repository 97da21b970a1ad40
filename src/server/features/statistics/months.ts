import { sql } from 'kysely';
import { type Database, isPostgres } from '../../core/db/database.ts';

/** Tables that PostgreSQL keeps in parts by month. */
export const MONTHLY_TABLES = ['statistics_events', 'statistics_hours', 'statistics_poses'] as const;
type MonthlyTable = (typeof MONTHLY_TABLES)[number];

/** The part is there, it holds rows of the month in the part for all else, or another server makes it just now. */
const THERE_ALREADY = new Set(['42P07', '42P17', '23514', '23505']);

/** The month of a stamp, such as 2026-03. */
const monthOf = (stamp: string): string => stamp.slice(0, 7);

/** The month after another. */
function nextMonth(month: string): string {
  const [year, number] = month.split('-').map(Number);
  return new Date(Date.UTC(year!, number!, 1)).toISOString().slice(0, 7);
}

const partOf = (table: MonthlyTable, month: string): string => `${table}_${month.replace('-', '_')}`;

/** Makes the parts of PostgreSQL's tables for the month of a stamp and the one after it. SQLite has no parts. */
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

/** The months that a table has parts for, in order. */
async function monthsOf(db: Database, table: MonthlyTable): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select child.relname as name from pg_inherits
    join pg_class as child on child.oid = pg_inherits.inhrelid
    where pg_inherits.inhparent = ${table}::regclass order by child.relname
  `.execute(db);
  return rows.flatMap(({ name }) => /_(\d{4})_(\d{2})$/.exec(name)?.slice(1).join('-') ?? []);
}

/**
 * Forgets what is older than a moment: whole months at once where PostgreSQL keeps them apart, the rest row by row.
 * @param before stamp, or hour
 */
export async function forgetBefore(db: Database, table: MonthlyTable, before: string): Promise<void> {
  if (isPostgres(db))
    for (const month of await monthsOf(db, table))
      if (nextMonth(month) <= monthOf(before))
        await sql`drop table if exists ${sql.table(partOf(table, month))}`.execute(db);
  if (table === 'statistics_hours') await db.deleteFrom(table).where('hour', '<', before).execute();
  else await db.deleteFrom(table).where('at', '<', before).execute();
}
