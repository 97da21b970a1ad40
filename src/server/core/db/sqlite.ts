import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type TransactionSettings,
} from 'kysely';
import { LRUCache } from 'lru-cache';

/** Milliseconds that a write waits for another process, such as a backup. */
const BUSY_TIMEOUT = 5000;

/** Page cache in KiB: large imports in one transaction touch each index all over. */
export const CACHE = 64 * 1024;
/** Pages of 4 kB in the log after which a commit moves them into the database, unless a thread has done so before. */
const CHECKPOINT = 100_000;

/** Maximum number of cached prepared statements: lists of varying length produce many different texts. */
const MAX_STATEMENTS = 500;

type Row = Record<string, unknown>;

/** A prepared statement with its column names; none if it returns no rows. */
interface Ready {
  statement: StatementSync;
  columns: string[];
}

/** Caches prepared statements by text: preparing one takes longer than most take to run. */
class Statements {
  readonly #database: DatabaseSync;
  readonly #kept = new LRUCache<string, Ready>({ max: MAX_STATEMENTS });

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  get(sql: string): Ready {
    const known = this.#kept.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    const ready = { statement, columns: statement.columns().map(({ name }) => name) };
    if (ready.columns.length > 0) statement.setReturnArrays(true);
    this.#kept.set(sql, ready);
    return ready;
  }
}

/**
 * The rows of a statement, built from arrays: SQLite's own row objects are in dictionary mode, which makes JSON
 * serialization three times slower.
 */
function rowsOf({ statement, columns }: Ready, parameters: readonly unknown[]): Row[] {
  // Node's types declare rows as objects, despite `setReturnArrays`.
  const rows = statement.all(...(parameters as SQLInputValue[])) as unknown as unknown[][];
  return rows.map((values) => {
    const row: Row = {};
    for (let index = 0; index < columns.length; index++) row[columns[index]!] = values[index];
    return row;
  });
}

function open(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT, enableForeignKeyConstraints: true });
  // SQLite's built-in lower() handles only ASCII.
  database.function('lower', { deterministic: true }, (value) =>
    typeof value === 'string' ? value.toLowerCase() : value,
  );
  return database;
}

/** SQLite has transactional DDL, which Kysely doesn't assume: an interrupted migration leaves nothing behind. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/**
 * Transactions take the write lock when they begin, unless they are read-only: a later upgrade fails immediately if
 * another connection wrote after the first read.
 */
class LockingDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection, settings?: TransactionSettings): Promise<void> {
    const isReader = settings?.accessMode === 'read only';
    await connection.executeQuery(CompiledQuery.raw(isReader ? 'begin' : 'begin immediate'));
  }
}

class TransactionalDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;

  constructor(config: SqliteDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): SqliteDriver {
    return new LockingDriver(this.#config);
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter();
  }
}

/** Runs a query immediately, bypassing any transaction in progress: it sees committed data. */
export type Read = (sql: string, parameters: readonly unknown[]) => Row[];

/** Runs a statement immediately, within the transaction in progress if there is one. */
export type Run = (sql: string, parameters: readonly unknown[]) => { rows: Row[]; changes: number };

/**
 * Kysely's SQLite dialect on Node's built-in SQLite, and functions that bypass its queue. Kysely expects the interface
 * of better-sqlite3; this implements it.
 * @param file database path; created if it doesn't exist
 */
export function createSqliteDialect(file: string): { dialect: SqliteDialect; read: Read; run: Run } {
  const database = open(file);
  database.exec(
    `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -${CACHE}; PRAGMA wal_autocheckpoint = ${CHECKPOINT};`,
  );
  const statements = new Statements(database);
  let reader: { database: DatabaseSync; statements: Statements } | undefined;
  const dialect = new TransactionalDialect({
    database: {
      close: () => {
        reader?.database.close();
        database.close();
      },
      prepare: (sql) => {
        const ready = statements.get(sql);
        return {
          reader: ready.columns.length > 0,
          all: (parameters) => rowsOf(ready, parameters),
          run: (parameters) => ready.statement.run(...(parameters as SQLInputValue[])),
          // A statement being iterated must not be run again before its end.
          iterate: (parameters) => database.prepare(sql).iterate(...(parameters as SQLInputValue[])),
        };
      },
    },
  });
  const read: Read = (sql, parameters) => {
    if (!reader) {
      const second = open(file);
      second.exec('PRAGMA query_only = 1');
      reader = { database: second, statements: new Statements(second) };
    }
    return rowsOf(reader.statements.get(sql), parameters);
  };
  const run: Run = (sql, parameters) => {
    const ready = statements.get(sql);
    if (ready.columns.length === 0) {
      const { changes } = ready.statement.run(...(parameters as SQLInputValue[]));
      return { rows: [], changes: Number(changes) };
    }
    const rows = rowsOf(ready, parameters);
    return { rows, changes: rows.length };
  };
  return { dialect, read, run };
}
