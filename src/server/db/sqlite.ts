import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { SqliteDialect } from 'kysely';

/** Milliseconds that a write waits for another process, such as a backup. */
const BUSY_TIMEOUT = 5000;

/** Statements that are kept ready; lists of varying length make texts of their own, so there is an end to it. */
const MOST_STATEMENTS = 500;

/** A statement, and whether it gives rows. */
interface Ready {
  statement: StatementSync;
  reader: boolean;
}

/** Keeps statements by their text: preparing one takes longer than most of them take to run. */
class Statements {
  readonly #database: DatabaseSync;
  readonly #kept = new Map<string, Ready>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  get(sql: string): Ready {
    const known = this.#kept.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    if (this.#kept.size >= MOST_STATEMENTS) this.#kept.delete(this.#kept.keys().next().value!);
    const ready = { statement, reader: statement.columns().length > 0 };
    this.#kept.set(sql, ready);
    return ready;
  }
}

/**
 * Kysely's SQLite dialect on the SQLite that comes with Node. Kysely asks for the interface of better-sqlite3; this is
 * that interface.
 * @param file path of the database; it is created when it does not exist
 */
export function createSqliteDialect(file: string): SqliteDialect {
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT, enableForeignKeyConstraints: true });
  // SQLite's own knows the letters a to z only.
  database.function('lower', { deterministic: true }, (value) =>
    typeof value === 'string' ? value.toLowerCase() : value,
  );
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  const statements = new Statements(database);
  return new SqliteDialect({
    database: {
      close: () => database.close(),
      prepare: (sql) => {
        const { statement, reader } = statements.get(sql);
        const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
        return {
          reader,
          all: (parameters) => statement.all(...values(parameters)),
          run: (parameters) => statement.run(...values(parameters)),
          // A statement that is read step by step must not be asked again before its end.
          iterate: (parameters) => database.prepare(sql).iterate(...values(parameters)),
        };
      },
    },
  });
}
