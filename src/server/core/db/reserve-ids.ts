import { sql } from 'kysely';
import { type Database, isPostgres } from './database.ts';

const nextOf = async (db: Database, table: 'elements', count: number): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence(${table}, 'id')) as id from generate_series(1, ${sql.lit(count)})
  `.execute(db);
  return rows.map(({ id }) => id);
};

const behind = (last: number, count: number) => Array.from({ length: count }, (_, index) => last + 1 + index);

async function lastOf(db: Database, table: 'elements'): Promise<number> {
  const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${table}`.execute(db);
  return rows[0]?.seq ?? 0;
}

/**
 * Reserves ids for rows about to be inserted, so that rows can refer to each other. Use them within the same
 * transaction.
 */
export async function reserveIds(db: Database, table: 'elements', count: number): Promise<number[]> {
  if (count === 0) return [];
  return isPostgres(db) ? nextOf(db, table, count) : behind(await lastOf(db, table), count);
}

/** Takes ids for rows that may be inserted later: no other row ever gets them. */
export async function takeIds(db: Database, table: 'elements', count: number): Promise<number[]> {
  if (isPostgres(db)) return nextOf(db, table, count);
  const last = await lastOf(db, table);
  const { numAffectedRows } = await sql`update sqlite_sequence set seq = ${last + count} where name = ${table}`.execute(
    db,
  );
  // SQLite has no sequence entry for a table before its first row.
  if (numAffectedRows === 0n)
    await sql`insert into sqlite_sequence (name, seq) values (${table}, ${count})`.execute(db);
  return behind(last, count);
}
