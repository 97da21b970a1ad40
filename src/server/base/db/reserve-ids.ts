import { sql } from 'kysely';
import { type Database, isPostgres } from './database.ts';

/**
 * Ids for rows that are about to be inserted, so that rows can name each other. They are used within the transaction
 * that asks for them.
 */
export async function reserveIds(db: Database, table: 'elements', count: number): Promise<number[]> {
  if (count === 0) return [];
  if (isPostgres(db)) {
    const { rows } = await sql<{ id: number }>`
      select nextval(pg_get_serial_sequence(${table}, 'id')) as id from generate_series(1, ${sql.lit(count)})
    `.execute(db);
    return rows.map(({ id }) => id);
  }
  const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${table}`.execute(db);
  const last = rows[0]?.seq ?? 0;
  return Array.from({ length: count }, (_, index) => last + 1 + index);
}
