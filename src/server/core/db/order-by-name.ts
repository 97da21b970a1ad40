import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Database, isPostgres } from './database.ts';

/**
 * Orders by name, ignoring case, like the `..._by_name` indexes.
 * @param column column name, from our own code
 */
export const orderByName = (db: Database, column: string): RawBuilder<string> =>
  isPostgres(db) ? sql<string>`lower(${sql.ref(column)})` : sql<string>`${sql.ref(column)} collate nocase`;

/**
 * A case-insensitive name comparison that uses the `..._by_name` indexes.
 * @param column column name, from our own code
 */
export const hasName = (db: Database, column: string, name: string): RawBuilder<SqlBool> => {
  // No row contains a NUL, and PostgreSQL rejects it as a parameter.
  if (name.includes('\0')) return sql<SqlBool>`(1 = 0)`;
  return isPostgres(db)
    ? sql<SqlBool>`(lower(${sql.ref(column)}) = lower(${name}) and ${sql.ref(column)} = ${name})`
    : sql<SqlBool>`(${sql.ref(column)} = ${name} collate nocase and ${sql.ref(column)} = ${name})`;
};
