import { sql } from 'kysely';
import { type Database, isPostgres } from '../../core/db/database.ts';

/** Rows per read. */
const BACKUP_BATCH = 500;
/** Kysely's migration tables, and tables derived from others. */
const NOT_OURS = /^(?:kysely_|access_token_search)/;

/** Any column value; the same on both databases. */
export type Value = string | number | null;
/** Values in the order of the table's columns. */
export type Row = readonly Value[];

/** Name and columns of a table. */
export interface TableShape {
  name: string;
  /** Column names, sorted. */
  columns: readonly string[];
}

/** Partitions: their rows are read through the parent table. */
async function partsOf(db: Database): Promise<ReadonlySet<string>> {
  if (!isPostgres(db)) return new Set();
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class where relispartition`.execute(db);
  return new Set(rows.map(({ name }) => name));
}

/** All tables of the program by name, with their columns. */
export async function shapesOf(db: Database): Promise<TableShape[]> {
  const tables = await db.introspection.getTables();
  const parts = await partsOf(db);
  return tables
    .filter(({ name, isView }) => !isView && !NOT_OURS.test(name) && !name.startsWith('sqlite_') && !parts.has(name))
    .map(({ name, columns }) => ({ name, columns: columns.map((column) => column.name).toSorted() }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Reads a table in id order, in batches. */
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

/** The highest id ever assigned in a table. Ids of deleted rows are not reused. */
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

/** Reads a consistent snapshot of the database despite concurrent writes. */
export const atOneMoment = <T>(db: Database, read: (snapshot: Database) => Promise<T>): Promise<T> => {
  const transaction = db.transaction().setAccessMode('read only');
  return (isPostgres(db) ? transaction.setIsolationLevel('repeatable read') : transaction).execute(read);
};
