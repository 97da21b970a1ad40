import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Baseline: inserts rows like those of a space's log into a table, one transaction each, without checks or
 * notifications. Prints the microseconds of CPU time per row. Usage: `node bare-sqlite.ts <folder> <rows>`
 */
const [folder, rows] = process.argv.slice(2) as [string, string];
const database = new DatabaseSync(join(folder, 'bare.sqlite'));
database.exec(`
  pragma journal_mode = wal; pragma synchronous = full;
  create table room_commands (
    id integer primary key autoincrement, room_id integer not null, organization_id integer not null, seq integer not null, client text,
    mutation integer, origin text not null, user_id integer, at text not null, commands text not null, inverses text not null,
    ids text not null
  );
  create unique index by_seq on room_commands (room_id, seq);
  create unique index by_mutation on room_commands (room_id, client, mutation);
`);
const insert = database.prepare(
  `insert into room_commands (room_id, organization_id, seq, client, mutation, origin, user_id, at, commands, inverses, ids)
   values (1, 1, ?, 'editor', ?, 'editor', 1, ?, ?, ?, '{}')`,
);
const command = JSON.stringify([{ type: 'element.update', id: 1234, fields: { position_x: 12.5 } }]);
const begun = process.cpuUsage();
for (let seq = 1; seq <= Number(rows); seq++) {
  database.exec('begin immediate');
  insert.run(seq, seq, new Date().toISOString(), command, command);
  database.exec('commit');
}
const { user, system } = process.cpuUsage(begun);
database.close();
console.log((user + system) / Number(rows));
