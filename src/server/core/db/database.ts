import { join } from 'node:path';
import { type Dialect, Kysely, PostgresAdapter } from 'kysely';
import { makeFolderSync } from '../data-folder.ts';
import { DATABASE_FILE } from './database-files.ts';
import { Faults } from './faults.ts';
import { Connections, createPostgresDialect } from './postgres.ts';
import { SIGN_IN_CHANNEL } from './sign-in-notices.ts';
import { createSqliteDialect, type Read, type Run } from './sqlite.ts';
import { type RunNow, TableChanges, watchedDialect } from './table-changes.ts';
import type { Tables } from './tables.ts';
import { TokenIndex } from './token-index.ts';

/** A database connection or transaction. */
export type Database = Kysely<Tables>;

export { DATABASE_FILE };

/** Change counters and fault counter of a database. */
interface Watched {
  signIn: TableChanges;
  published: TableChanges;
  organizations: TableChanges;
  faults: Faults;
}

const watchedOf = new WeakMap<object, Watched>();

function changesOf(db: Database): Watched {
  const changes = watchedOf.get(db);
  if (!changes) throw new Error('This database was not opened here.');
  return changes;
}

/** Counts changes of users, sessions and keys made through a database. */
export const signInChangesOf = (db: Database): TableChanges => changesOf(db).signIn;

/** Counts changes of published content made through a database. A changed element counts as a change of its room. */
export const publishedChangesOf = (db: Database): TableChanges => changesOf(db).published;

/** Counts changes of organizations made through a database. */
export const organizationChangesOf = (db: Database): TableChanges => changesOf(db).organizations;

/** Counts failed statements of a database. */
export const faultsOf = (db: Database): Faults => changesOf(db).faults;

const pools = new WeakMap<object, Connections>();

/** A PostgreSQL database's connection pool; undefined for SQLite. */
export const connectionsOf = (db: Database): Connections | undefined => pools.get(db);

const readers = new WeakMap<object, Read>();

/** Reads that bypass a SQLite database's queue; undefined for PostgreSQL, and inside a transaction. */
export const readerOf = (db: Database): Read | undefined => readers.get(db);

/**
 * Version of a SQLite database's whole content: changes with every commit of any process. Undefined for PostgreSQL,
 * inside a transaction, and while the database doesn't respond. See https://sqlite.org/pragma.html#pragma_data_version.
 */
export function databaseVersionOf(db: Database): number | undefined {
  try {
    return readerOf(db)?.('PRAGMA data_version', [])[0]?.data_version as number | undefined;
  } catch {
    return undefined;
  }
}

const tokenIndexes = new WeakMap<object, TokenIndex>();

/** Substring index of a SQLite database's access tokens; undefined for PostgreSQL, and inside a transaction. */
export const tokenIndexOf = (db: Database): TokenIndex | undefined => tokenIndexes.get(db);

const runners = new WeakMap<object, RunNow>();

/** Runs queries of a SQLite transaction without Kysely's queue; undefined for PostgreSQL, and outside of a transaction. */
export const runnerOf = (db: Database): RunNow | undefined =>
  db.isTransaction ? runners.get(db.getExecutor().adapter) : undefined;

/** Gives another view of a database its counters, pool and token index. */
export function shareWatched(db: Database, view: Database): void {
  const changes = watchedOf.get(db);
  if (changes) watchedOf.set(view, changes);
  const pool = pools.get(db);
  if (pool) pools.set(view, pool);
  const index = tokenIndexes.get(db);
  if (index) tokenIndexes.set(view, index);
}

function watched(dialect: Dialect, { channel, run }: { channel?: string; run?: Run } = {}): Database {
  const signIn = new TableChanges(['users', 'sessions', 'api_keys', 'organizations'], { channel });
  const published = new TableChanges(
    ['endpoints', 'rooms', 'templates', 'organizations', 'organization_hosts', 'publications'],
    { withInserts: true },
  );
  const organizations = new TableChanges(['organizations', 'organization_hosts'], { withInserts: true });
  const faults = new Faults();
  const counting = watchedDialect(dialect, [signIn, published, organizations], faults);
  const db = new Kysely<Tables>({ dialect: counting });
  if (run) runners.set(db.getExecutor().adapter, counting.runNowWith(run));
  watchedOf.set(db, { signIn, published, organizations, faults });
  return db;
}

/** Location of a database. */
interface DatabasePlace {
  /** PostgreSQL URL; undefined for SQLite. */
  url?: string | undefined;
  /** Folder of the SQLite file. */
  folder: string;
  /** Maximum number of PostgreSQL connections. */
  connections?: number | undefined;
}

/** Opens the database: PostgreSQL if a URL is given, otherwise SQLite in the data folder. */
export function openDatabase({ url, folder, connections }: DatabasePlace): Database {
  if (url) {
    const pool = new Connections(url, connections);
    const db = watched(createPostgresDialect(pool), { channel: SIGN_IN_CHANNEL });
    pools.set(db, pool);
    return db;
  }
  makeFolderSync(folder);
  const { dialect, read, run } = createSqliteDialect(join(folder, DATABASE_FILE));
  const db = watched(dialect, { run });
  readers.set(db, read);
  tokenIndexes.set(db, new TokenIndex(folder));
  return db;
}

/** Whether the database is PostgreSQL: for the few statements that differ. */
export const isPostgres = (db: Database): boolean => db.getExecutor().adapter instanceof PostgresAdapter;

/**
 * Runs a query outside the queue and pool, to check whether the database responds.
 * @throws the database's error, or a timeout after a few seconds
 */
export async function queryDirectly(db: Database, sql: string): Promise<Record<string, unknown>[]> {
  const pool = pools.get(db);
  return pool ? pool.ask(sql) : readers.get(db)!(sql, []);
}
