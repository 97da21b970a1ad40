import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Dialect, Kysely, PostgresAdapter, PostgresDialect } from 'kysely';
import pg from 'pg';
import { CopyCursor } from './copy-rows.ts';
import { SIGN_IN_CHANNEL } from './sign-in-notices.ts';
import { createSqliteDialect, type Read } from './sqlite.ts';
import { TableChanges, watchedDialect } from './table-changes.ts';
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
  return new PostgresDialect({ pool, cursor: CopyCursor });
}

/** What is counted of the changes of a database. */
interface Watched {
  signIn: TableChanges;
  published: TableChanges;
}

const watchedOf = new WeakMap<object, Watched>();

function changesOf(db: Database): Watched {
  const changes = watchedOf.get(db);
  if (!changes) throw new Error('This database was not opened here.');
  return changes;
}

/** Changes of users, their sessions and keys that are made through a database. */
export const signInChangesOf = (db: Database): TableChanges => changesOf(db).signIn;

/** Changes of what visitors see that are made through a database. A change of an element is one of its room. */
export const publishedChangesOf = (db: Database): TableChanges => changesOf(db).published;

const readers = new WeakMap<object, Read>();

/** Reads past the queue of a SQLite database; undefined for PostgreSQL, and within a transaction. */
export const readerOf = (db: Database): Read | undefined => readers.get(db);

function watched(dialect: Dialect, channel?: string): Database {
  const signIn = new TableChanges(['users', 'sessions', 'api_keys', 'organizations'], { channel });
  const published = new TableChanges(['endpoints', 'rooms', 'templates', 'organizations'], { withInserts: true });
  const db = new Kysely<Tables>({ dialect: watchedDialect(dialect, [signIn, published]) });
  watchedOf.set(db, { signIn, published });
  return db;
}

/**
 * Opens the database: PostgreSQL where a URL is given, otherwise a file in the data folder.
 */
export function openDatabase({ url, folder }: { url?: string; folder: string }): Database {
  if (url) return watched(createPostgresDialect(url), SIGN_IN_CHANNEL);
  mkdirSync(folder, { recursive: true });
  const { dialect, read } = createSqliteDialect(join(folder, DATABASE_FILE));
  const db = watched(dialect);
  readers.set(db, read);
  return db;
}

/** Whether the database is PostgreSQL: for the few statements that differ. */
export const isPostgres = (db: Database): boolean => db.getExecutor().adapter instanceof PostgresAdapter;
