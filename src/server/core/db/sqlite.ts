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

/** Memory for pages in KiB: an import of many rows in one transaction touches each index all over. */
const CACHE = 64 * 1024;

/** Statements that are kept ready; lists of varying length make texts of their own, so there is an end to it. */
const MAX_STATEMENTS = 500;

type Row = Record<string, unknown>;

/** A statement, and the names of its columns: none when it gives no rows. */
interface Ready {
  statement: StatementSync;
  columns: string[];
}

/** Keeps statements by their text: preparing one takes longer than most of them take to run. */
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
 * The rows of a statement. They are made of arrays: the objects that SQLite makes are dictionaries, which cost three
 * times as much to turn into JSON.
 */
function rowsOf({ statement, columns }: Ready, parameters: readonly unknown[]): Row[] {
  // Node's types know rows as objects only, whatever `setReturnArrays` says.
  const rows = statement.all(...(parameters as SQLInputValue[])) as unknown as unknown[][];
  return rows.map((values) => {
    const row: Row = {};
    for (let index = 0; index < columns.length; index++) row[columns[index]!] = values[index];
    return row;
  });
}

function open(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT, enableForeignKeyConstraints: true });
  // SQLite's own knows the letters a to z only.
  database.function('lower', { deterministic: true }, (value) =>
    typeof value === 'string' ? value.toLowerCase() : value,
  );
  return database;
}

/** SQLite changes tables within transactions, which Kysely does not count on: an update that is cut off leaves nothing. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/**
 * Transactions take the write lock when they begin, unless they only read: one that takes it later fails at once if another
 * connection wrote after its first read.
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

/** Asks a question at once, past whatever transaction is under way: it sees what is committed. */
export type Read = (sql: string, parameters: readonly unknown[]) => Row[];

/**
 * Kysely's SQLite dialect on the SQLite that comes with Node, and a way to read past its queue. Kysely asks for the
 * interface of better-sqlite3; this is that interface.
 * @param file path of the database; it is created when it does not exist
 */
export function createSqliteDialect(file: string): { dialect: SqliteDialect; read: Read } {
  const database = open(file);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -${CACHE};`);
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
          // A statement that is read step by step must not be asked again before its end.
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
  return { dialect, read };
}
