import { sql } from 'kysely';
import { type Database, isPostgres, tokenIndexOf } from '../../core/db/database.ts';
import { hasTokenSearch, queueAllTokens } from '../../core/db/token-search/token-search.ts';
import { type Row, shapesOf, type TableShape } from './stored-rows.ts';

/** Rows for a table. */
export interface Filling extends TableShape {
  /** The highest id ever assigned. */
  lastId: number;
  rows(): AsyncIterable<Row[]>;
}

interface ForeignKey {
  name: string;
  table: string;
  definition: string;
}

/** Defers foreign key checks until all rows are inserted: rows can refer to each other in any order. */
async function withoutReferences(db: Database, tables: readonly string[], work: () => Promise<void>): Promise<void> {
  if (!isPostgres(db)) {
    await sql`pragma defer_foreign_keys = on`.execute(db);
    await work();
    return;
  }
  const { rows: keys } = await sql<ForeignKey>`
    select conname as name, conrelid::regclass::text as "table", pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = current_schema()::regnamespace
  `.execute(db);
  for (const { name, table } of keys)
    await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(db);
  for (const table of tables) await sql`alter table ${sql.table(table)} disable trigger user`.execute(db);
  await work();
  for (const table of tables) await sql`alter table ${sql.table(table)} enable trigger user`.execute(db);
  for (const { name, table, definition } of keys)
    await sql`alter table ${sql.table(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(db);
}

async function setLastId(db: Database, table: string, lastId: number): Promise<void> {
  if (isPostgres(db)) {
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${Math.max(lastId, 1)}, ${lastId > 0})`.execute(db);
    return;
  }
  await sql`delete from sqlite_sequence where name = ${table}`.execute(db);
  await sql`insert into sqlite_sequence (name, seq) values (${table}, ${lastId})`.execute(db);
}

/**
 * Replaces the content of all tables in one transaction.
 * @param onRows receives the number of rows written so far
 * @throws Error if a table or column is missing here, or if rows violate a constraint
 */
export async function fillTables(
  database: Database,
  fillings: readonly Filling[],
  onRows: (count: number) => void = () => {},
): Promise<void> {
  const shapes = new Map((await shapesOf(database)).map((shape) => [shape.name, shape]));
  for (const { name, columns } of fillings) {
    const shape = shapes.get(name);
    const missing = shape ? columns.find((column) => !shape.columns.includes(column)) : name;
    if (missing) throw new Error(`The database has no ${shape ? `column ${name}.${missing}` : `table ${name}`}.`);
  }
  let count = 0;
  await database.transaction().execute(async (db) => {
    const tables = [...shapes.keys()];
    await withoutReferences(db, tables, async () => {
      for (const table of tables) await sql`delete from ${sql.table(table)}`.execute(db);
      for (const { name, columns, lastId, rows } of fillings) {
        const into = sql`insert into ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column)))}) values `;
        for await (const batch of rows()) {
          const values = batch.map((row) => sql`(${sql.join(row.map((value) => sql`${value}`))})`);
          await sql`${into}${sql.join(values)}`.execute(db);
          count += batch.length;
          onRows(count);
        }
        await setLastId(db, name, lastId);
      }
    });
    if (isPostgres(db) && (await hasTokenSearch(db))) await queueAllTokens(db);
  });
  await tokenIndexOf(database)?.clear();
}
