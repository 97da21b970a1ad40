import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { SqliteDialect } from 'kysely';

/** Milliseconds that a write waits for another process, such as a backup. */
const BUSY_TIMEOUT = 5000;

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
  return new SqliteDialect({
    database: {
      close: () => database.close(),
      prepare: (sql) => {
        const statement = database.prepare(sql);
        const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
        return {
          reader: statement.columns().length > 0,
          all: (parameters) => statement.all(...values(parameters)),
          run: (parameters) => statement.run(...values(parameters)),
          iterate: (parameters) => statement.iterate(...values(parameters)),
        };
      },
    },
  });
}
