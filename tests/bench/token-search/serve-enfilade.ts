import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as passed } from 'node:timers/promises';
import { TokenIndex } from '../../../src/server/core/db/token-index.ts';
import { startEnfilade } from '../enfilade.ts';

/**
 * The whole server with searchable access tokens on SQLite. Prints its origin as a line of JSON, and answers
 * each message with the time for which its main thread was blocked since the last one.
 * Usage: `node serve-enfilade.ts <folder> <file of tokens> <rows>`
 */
const [folder, file, rows] = process.argv.slice(2) as [string, string, string];
const { origin, client, token } = await startEnfilade(folder);
const room = await client.rooms.create({ body: { title: 'Hall' } });
const { id } = await client.endpoints.create({ body: { name: 'Hall', room_id: room.id, is_protected: true } });
const access_tokens_file = new File([await openAsBlob(file)], 'codes.csv');
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
await client.accessTokens.importFile({ params: { id }, body: {}, files: { access_tokens_file } });
const imported = delay.max / 1e6;
const begun = performance.now();
const index = new TokenIndex(join(folder));
while (index.lastId() < Number(rows)) await passed(100);
const indexed = Math.round(performance.now() - begun);
await index.close();
process.on('message', (asked) => {
  if (asked === 'delay') process.send!(delay.max / 1e6);
  delay.reset();
});
console.log(
  JSON.stringify({ origin, token, endpoint: String(id), indexed: String(indexed), imported: String(imported) }),
);
