import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { createClient } from '../../../src/contract/client.ts';
import { median, type ServerProcess, startServer } from '../server-process.ts';

const ROWS = 1_000_000;
/** Maximum milliseconds for which the main thread may be blocked. */
const LONGEST = 50;

const codeOf = (index: number) => `EVENT-${createHash('sha256').update(String(index)).digest('hex').slice(0, 12)}`;

/** Measured queries. */
const QUERIES: readonly (readonly [string, object])[] = [
  ['exact', { search: codeOf(ROWS / 2) }],
  ['prefix of one character', { search: 'E' }],
  ['prefix', { search: codeOf(7).slice(0, 9) }],
  ['any part', { search: codeOf(123_456).slice(8, 16) }],
  ['a part that all have', { search: 'vent' }],
  ['three characters', { search: 'c0f' }],
  ['nothing', { search: 'zzzzzz' }],
  ['parts that many have', { search: 'vent-777777' }],
  ['a part that all have, of used tokens', { search: 'vent', state: 'running' }],
  ['the list', {}],
  ['unused tokens', { state: 'unused' }],
  ['unused tokens, page 1,000', { state: 'unused', page: 1000 }],
  ['expired tokens, of which there are none', { state: 'expired' }],
  ['used tokens by their end', { used: '1', sort: 'valid_till' }],
  ['expired tokens by their first use', { state: 'expired', sort: '-used' }],
];

async function delayOf({ child }: ServerProcess): Promise<number> {
  const told = new Promise<number>((resolve) => {
    // The server also answers every message with its CPU time.
    const hear = (said: unknown) => {
      const { delay } = said as { delay?: number };
      if (delay === undefined) return;
      child.off('message', hear);
      resolve(delay);
    };
    child.on('message', hear);
  });
  child.send('delay');
  return told;
}

/**
 * Measures how long searches in a million access tokens on SQLite block the server's main thread.
 * @returns whether all of them stay within the limit
 */
export async function compareSearches(rounds: number): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'enfilade-bench-'));
  const file = join(folder, 'codes.csv');
  await writeFile(file, Array.from({ length: ROWS }, (_, index) => `${codeOf(index)}\n`).join(''));
  const server = await startServer(join(import.meta.dirname, 'serve-enfilade.ts'), folder, file, String(ROWS));
  try {
    const { origin, token, indexed } = server.said as { origin: string; token: string; indexed: string };
    const client = createClient({ origin, token: () => token, timeout: 120_000 });
    console.log(`\nSearches in a million access tokens on SQLite, ${rounds} round(s); index built in ${indexed} ms\n`);
    console.log('search                                   found   median ms  main thread held up, ms');
    let met = true;
    for (const [title, query] of QUERIES) {
      const times: number[] = [];
      let longest = 0;
      let total = '';
      for (let round = 0; round < rounds; round++) {
        // Lets other work of the server finish.
        await passed(200);
        server.child.send('reset');
        const begun = performance.now();
        const { meta } = await client.accessTokens.list({ query });
        times.push(performance.now() - begun);
        total = `${meta.total}${meta.is_more ? '+' : ''}`;
        longest = Math.max(longest, await delayOf(server));
      }
      const misses = longest > LONGEST;
      console.log(
        `${title.padEnd(38)}${total.padStart(9)}${median(times).toFixed(0).padStart(11)}${longest.toFixed(0).padStart(12)}${misses ? '  misses its target' : ''}`,
      );
      met &&= !misses;
    }
    return met;
  } finally {
    server.child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
}
