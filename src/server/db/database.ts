import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Dialect, Kysely, PostgresAdapter, PostgresDialect } from 'kysely';
import pg from 'pg';
import { createSqliteDialect } from './sqlite.ts';
import { TableChanges } from './table-changes.ts';
import type { Tables } from './tables.ts';

/** A connection to the database, or a transaction on it. */
export type Database = Kysely<Tables>;

/** Name of the database file in the data folder. */
export const DATABASE_FILE = 'enfilade.sqlite';

/** PostgreSQL's number of the type bigint. */
const INT8 = 20;

function createPostgresDialect(url: string): PostgresDialect {
  const types = {
    // Ids and counts stay below 2^53, so they come back as numbers.
    getTypeParser: (oid: number, format?: string) =>
      oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
  };
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 5000,
    types: types as pg.CustomTypesConfig,
  });
  // A connection that PostgreSQL ends, as when it restarts, must not end the server: the pool replaces it, and a query
  // that was under way fails by itself.
  const ignore = () => {};
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return new PostgresDialect({ pool });
}

const signInChanges = new WeakMap<object, TableChanges>();

/** Changes of users and their sessions that this process makes through a database. */
export function signInChangesOf(db: Database): TableChanges {
  const changes = signInChanges.get(db);
  if (!changes) throw new Error('This database was not opened here.');
  return changes;
}

function watched(dialect: Dialect): Database {
  const changes = new TableChanges('users', 'sessions', 'organizations');
  const db = new Kysely<Tables>({ dialect, plugins: [changes] });
  signInChanges.set(db, changes);
  return db;
}

/**
 * Opens the database: PostgreSQL where a URL is given, otherwise a file in the data folder.
 */
export function openDatabase({ url, folder }: { url?: string; folder: string }): Database {
  if (url) return watched(createPostgresDialect(url));
  mkdirSync(folder, { recursive: true });
  return watched(createSqliteDialect(join(folder, DATABASE_FILE)));
}

/** Whether the database is PostgreSQL: for the few statements that differ. */
export const isPostgres = (db: Database): boolean => db.getExecutor().adapter instanceof PostgresAdapter;
