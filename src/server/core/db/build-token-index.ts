import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { DATABASE_FILE, indexTableOf, TOKEN_INDEX_FILE } from './database-files.ts';

/** Tokens per batch. */
const BATCH = 5000;

// Worker thread: adds new tokens of the database to the index.
const folder = workerData as string;
const source = new DatabaseSync(join(folder, DATABASE_FILE), { readOnly: true });
const index = new DatabaseSync(join(folder, TOKEN_INDEX_FILE));
index.exec(`
  pragma journal_mode = wal;
  pragma synchronous = normal;
  create table if not exists progress (last integer not null);
`);
const read = source.prepare('select id, token from access_tokens where id > ? order by id limit ?');
let last = Number(index.prepare('select max(last) as last from progress').get()?.last ?? 0);
for (;;) {
  const rows = read.all(last, BATCH) as { id: number; token: string }[];
  if (rows.length === 0) break;
  index.exec('begin');
  for (const [table, some] of Map.groupBy(rows, ({ id }) => indexTableOf(id))) {
    index.exec(
      `create virtual table if not exists ${table} using fts5(text, content = '', detail = none, tokenize = 'trigram')`,
    );
    const add = index.prepare(`insert into ${table} (rowid, text) values (?, ?)`);
    for (const { id, token } of some) add.run(id, token.toLowerCase());
  }
  last = rows.at(-1)!.id;
  index.exec('delete from progress');
  index.prepare('insert into progress (last) values (?)').run(last);
  index.exec('commit');
}
index.close();
source.close();
