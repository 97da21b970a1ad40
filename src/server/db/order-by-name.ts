import { type RawBuilder, sql } from 'kysely';
import { type Database, isPostgres } from './database.ts';

/**
 * Orders by a name whatever its case, as the `..._by_name` indexes do.
 * @param column name of the column, from our own code
 */
export const orderByName = (db: Database, column: string): RawBuilder<string> =>
  isPostgres(db) ? sql<string>`lower(${sql.ref(column)})` : sql<string>`${sql.ref(column)} collate nocase`;
