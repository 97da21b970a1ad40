import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';

/**
 * Baseline: imports codes into a table like the server's with one prepared statement in one transaction, without checks
 * or a report. Usage: `node bare-sqlite.ts <database> <file>`
 */
const [path, file] = process.argv.slice(2) as [string, string];
const database = new DatabaseSync(path, { enableForeignKeyConstraints: true });
database.exec(`
  pragma journal_mode = wal; pragma synchronous = full;
  create table endpoints (id integer primary key);
  insert into endpoints values (1);
  create table tokens (
    id integer primary key autoincrement, organization_id integer not null, endpoint_id integer not null references endpoints (id),
    token text not null, valid_from text, valid_till text, valid_duration integer, created_at text not null,
    updated_at text not null
  );
  create unique index tokens_token on tokens (endpoint_id, token);
`);
const at = new Date().toISOString();
const insert = database.prepare(
  'insert into tokens (organization_id, endpoint_id, token, created_at, updated_at) values (1, 1, ?, ?, ?)',
);
database.exec('begin');
for await (const token of createInterface({ input: createReadStream(file) })) insert.run(token, at, at);
database.exec('commit');
database.close();
