import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Database, isPostgres } from './database.ts';

/**
 * Orders by a name whatever its case, as the `..._by_name` indexes do.
 * @param column name of the column, from our own code
 */
export const orderByName = (db: Database, column: string): RawBuilder<string> =>
  isPostgres(db) ? sql<string>`lower(${sql.ref(column)})` : sql<string>`${sql.ref(column)} collate nocase`;

/**
 * A condition that a name is this one, found through the `..._by_name` indexes.
 * @param column name of the column, from our own code
 */
export const hasName = (db: Database, column: string, name: string): RawBuilder<SqlBool> => {
  // No row holds a NUL, and PostgreSQL cannot even be asked for one.
  if (name.includes('\0')) return sql<SqlBool>`(1 = 0)`;
  return isPostgres(db)
    ? sql<SqlBool>`(lower(${sql.ref(column)}) = lower(${name}) and ${sql.ref(column)} = ${name})`
    : sql<SqlBool>`(${sql.ref(column)} = ${name} collate nocase and ${sql.ref(column)} = ${name})`;
};
