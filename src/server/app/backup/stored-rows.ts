import { sql } from 'kysely';
import { type Database, isPostgres } from '../../core/db/database.ts';

/** Rows that are held at once. */
const BACKUP_BATCH = 500;
/** Tables in which Kysely notes which migrations have been done, and those that are derived from others. */
const NOT_OURS = /^(?:kysely_|access_token_search)/;

/** Any value that the columns hold: texts, numbers and nothing, the same on both databases. */
export type Value = string | number | null;
/** A row's values in the order of its table's columns. */
export type Row = readonly Value[];

/** A table as it is copied. */
export interface TableShape {
  name: string;
  /** Names of its columns, sorted. */
  columns: readonly string[];
}

/** Tables that are parts of another one: what is in them is read there. */
async function partsOf(db: Database): Promise<ReadonlySet<string>> {
  if (!isPostgres(db)) return new Set();
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class where relispartition`.execute(db);
  return new Set(rows.map(({ name }) => name));
}

/** Every table of the program, by name, with its columns. */
export async function shapesOf(db: Database): Promise<TableShape[]> {
  const tables = await db.introspection.getTables();
  const parts = await partsOf(db);
  return tables
    .filter(({ name, isView }) => !isView && !NOT_OURS.test(name) && !name.startsWith('sqlite_') && !parts.has(name))
    .map(({ name, columns }) => ({ name, columns: columns.map((column) => column.name).toSorted() }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Reads a table by rising ids, some rows at a time. */
export async function* readRows(db: Database, { name, columns }: TableShape): AsyncGenerator<Row[]> {
  let last = 0;
  for (;;) {
    const { rows } = await sql<Record<string, Value>>`
      select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(name)}
      where id > ${last} order by id limit ${BACKUP_BATCH}
    `.execute(db);
    if (rows.length === 0) return;
    yield rows.map((row) => columns.map((column) => row[column]!));
    last = Number(rows.at(-1)!.id);
  }
}

/** The highest id that a table has ever given: none of a removed row is given again. */
export async function lastIdOf(db: Database, table: string): Promise<number> {
  if (!isPostgres(db)) {
    const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${table}`.execute(db);
    return rows[0]?.seq ?? 0;
  }
  const { rows } = await sql<{ last: number | null }>`
    select pg_sequence_last_value(pg_get_serial_sequence(${table}, 'id')::regclass) as last
  `.execute(db);
  return rows[0]?.last ?? 0;
}

/** Reads the database as it is at one moment, whatever is written meanwhile. */
export const atOneMoment = <T>(db: Database, read: (snapshot: Database) => Promise<T>): Promise<T> => {
  const transaction = db.transaction().setAccessMode('read only');
  return (isPostgres(db) ? transaction.setIsolationLevel('repeatable read') : transaction).execute(read);
};
