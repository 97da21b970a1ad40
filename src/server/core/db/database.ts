import { join } from 'node:path';
import { type Dialect, Kysely, PostgresAdapter } from 'kysely';
import { makeFolderSync } from '../data-folder.ts';
import { DATABASE_FILE } from './database-files.ts';
import { Faults } from './faults.ts';
import { Connections, createPostgresDialect } from './postgres.ts';
import { SIGN_IN_CHANNEL } from './sign-in-notices.ts';
import { createSqliteDialect, type Read } from './sqlite.ts';
import { TableChanges, watchedDialect } from './table-changes.ts';
import type { Tables } from './tables.ts';
import { TokenIndex } from './token-index.ts';

/** A connection to the database, or a transaction on it. */
export type Database = Kysely<Tables>;

export { DATABASE_FILE };

/** What is counted of the changes of a database. */
interface Watched {
  signIn: TableChanges;
  published: TableChanges;
  faults: Faults;
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

/** What went wrong with the statements of a database. */
export const faultsOf = (db: Database): Faults => changesOf(db).faults;

const pools = new WeakMap<object, Connections>();

/** The connections of a PostgreSQL database; undefined for SQLite. */
export const connectionsOf = (db: Database): Connections | undefined => pools.get(db);

const readers = new WeakMap<object, Read>();

/** Reads past the queue of a SQLite database; undefined for PostgreSQL, and within a transaction. */
export const readerOf = (db: Database): Read | undefined => readers.get(db);

/**
 * Version of the whole content of a SQLite database: another one after every commit, of any process. Undefined for
 * PostgreSQL, within a transaction, and while the database does not answer. See https://sqlite.org/pragma.html#pragma_data_version.
 */
export function databaseVersionOf(db: Database): number | undefined {
  try {
    return readerOf(db)?.('PRAGMA data_version', [])[0]?.data_version as number | undefined;
  } catch {
    return undefined;
  }
}

const tokenIndexes = new WeakMap<object, TokenIndex>();

/** What finds access tokens of a SQLite database by any part of them; undefined for PostgreSQL, and within a transaction. */
export const tokenIndexOf = (db: Database): TokenIndex | undefined => tokenIndexes.get(db);

function watched(dialect: Dialect, channel?: string): Database {
  const signIn = new TableChanges(['users', 'sessions', 'api_keys', 'organizations'], { channel });
  const published = new TableChanges(['endpoints', 'rooms', 'templates', 'organizations', 'publications'], {
    withInserts: true,
  });
  const faults = new Faults();
  const db = new Kysely<Tables>({ dialect: watchedDialect(dialect, [signIn, published], faults) });
  watchedOf.set(db, { signIn, published, faults });
  return db;
}

/** Where a database is. */
interface DatabasePlace {
  /** Address of PostgreSQL; undefined for SQLite. */
  url?: string | undefined;
  /** Folder of the file of SQLite. */
  folder: string;
  /** Most connections to PostgreSQL at once. */
  connections?: number | undefined;
}

/**
 * Opens the database: PostgreSQL where a URL is given, otherwise a file in the data folder.
 */
export function openDatabase({ url, folder, connections }: DatabasePlace): Database {
  if (url) {
    const pool = new Connections(url, connections);
    const db = watched(createPostgresDialect(pool), SIGN_IN_CHANNEL);
    pools.set(db, pool);
    return db;
  }
  makeFolderSync(folder);
  const { dialect, read } = createSqliteDialect(join(folder, DATABASE_FILE));
  const db = watched(dialect);
  readers.set(db, read);
  tokenIndexes.set(db, new TokenIndex(folder));
  return db;
}

/** Whether the database is PostgreSQL: for the few statements that differ. */
export const isPostgres = (db: Database): boolean => db.getExecutor().adapter instanceof PostgresAdapter;

/**
 * Asks a question past whatever the database is busy with, so that it tells whether the database is there.
 * @throws what the database says, or that it did not answer within seconds
 */
export async function askBeside(db: Database, sql: string): Promise<Record<string, unknown>[]> {
  const pool = pools.get(db);
  return pool ? pool.ask(sql) : readers.get(db)!(sql, []);
}
