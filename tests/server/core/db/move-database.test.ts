import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { moveDatabase } from '../../../../src/server/app/backup/move-database.ts';
import { shapesOf } from '../../../../src/server/app/backup/stored-rows.ts';
import { type Database, openDatabase } from '../../../../src/server/core/db/database.ts';
import { migrate } from '../../../../src/server/core/db/migrate.ts';
import { createDatabase, databases, dumpOf } from '../../../harness/test-database.ts';

/** Rows of each table: more than are read at once in one of them. */
const ROWS = 3;
const MANY = { table: 'changes', rows: 1203 };

/** Texts that are easily changed on the way. */
const TEXTS = [
  '',
  'O’Brien\u2028\t\\N "quoted"',
  'é 🙂 \r\n %s $1 \\x00',
  '{"a":[1,null,"\\u0000"]}',
  '0012',
  '1e3',
  'NULL',
];

/** Columns that take some values only. */
const ALLOWED: Record<string, string> = {
  model_type: 'pano',
  action: 'restore',
  state: 'stopped',
  'revisions.kind': 'named',
  'endpoints.shows': 'published',
  'live_streams.type': 'vimeo',
  'feeds.type': 'local',
  'webhook_deliveries.state': 'waiting',
  'feed_items.state': 'hidden',
  'posters.kind': 'drawn',
  held_because: 'word',
  'platform_credentials.platform': 'vimeo',
};

interface Column {
  name: string;
  type: string;
  notnull: number;
  target: string | null;
}

/** The columns of a table, and what they refer to. */
const columnsOf = async (db: Database, table: string): Promise<Column[]> =>
  (
    await sql<Column>`
      select info.name, info.type, info."notnull", keys."table" as target
      from pragma_table_info(${table}) as info left join pragma_foreign_key_list(${table}) as keys on keys."from" = info.name
    `.execute(db)
  ).rows;

/** A value that fits a column, another one for each row; rows refer to rows, later ones too. */
function valueFor(table: string, { name, type, notnull, target }: Column, row: number): string | number | null {
  if (name === 'id') return row * 10;
  if (target) return (((row + 1) % ROWS) + 1) * 10;
  if (!notnull && row % 2 === 0) return null;
  if (/^(?:is_|show_|hidden$)/.test(name)) return row % 2;
  const allowed = ALLOWED[`${table}.${name}`] ?? ALLOWED[name];
  if (allowed) return allowed;
  if (/double/i.test(type)) return [0.1, -1e-7, 123456789.125][row % 3]!;
  if (/int/i.test(type)) return row === 1 ? 2 ** 31 - 1 : row + 5;
  return `${TEXTS[row % TEXTS.length]}${row}`;
}

async function fill(db: Database): Promise<void> {
  await sql`pragma defer_foreign_keys = on`.execute(db);
  for (const { name: table } of await shapesOf(db)) {
    const columns = await columnsOf(db, table);
    const names = sql.join(columns.map(({ name }) => sql.ref(name)));
    for (let row = 1; row <= (table === MANY.table ? MANY.rows : ROWS); row++) {
      const values = sql.join(columns.map((column) => sql`${valueFor(table, column, row)}`));
      await sql`insert into ${sql.table(table)} (${names}) values (${values})`.execute(db);
    }
  }
  expect((await sql`pragma foreign_key_check`.execute(db)).rows).toEqual([]);
}

/** The hash of each table's rows, reckoned here. */
const hashesOf = async (db: Database) =>
  (await dumpOf(db)).split('\n').map((table) => {
    const [name, rows] = [table.slice(0, table.indexOf(' ')), table.slice(table.indexOf(' ') + 1)];
    const sorted = (JSON.parse(rows) as object[]).map((row) =>
      Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)),
    );
    return `${name}: ${sorted.length} ${createHash('sha256').update(JSON.stringify(sorted)).digest('hex')}`;
  });

describe.skipIf(!databases.includes('postgres'))('a database that moves from SQLite to PostgreSQL', () => {
  test('security 65: has the same rows in every table, by hash, whatever they hold', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'enfilade-move-'));
    const { url, drop } = await createDatabase('postgres');
    const from = openDatabase({ folder });
    const to = openDatabase({ url, folder });
    try {
      await migrate(from);
      await from.transaction().execute(fill);
      const moved = await moveDatabase(from, to);
      const here = await hashesOf(from);
      expect(here.length).toBe(moved.length);
      expect(here.filter((line) => line.includes(': 0 '))).toEqual([]);
      expect(await hashesOf(to)).toEqual(here);
    } finally {
      await Promise.all([from.destroy(), to.destroy()]);
      await drop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
