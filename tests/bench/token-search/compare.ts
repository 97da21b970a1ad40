import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { createClient } from '../../../src/contract/client.ts';
import { inFolder, type Outcomes, type Scope } from '../bench.ts';
import { type ServerProcess, startServer } from '../server-process.ts';

const ROWS = { full: 1_000_000, quick: 100_000 } as const;

const codeOf = (index: number) => `EVENT-${createHash('sha256').update(String(index)).digest('hex').slice(0, 12)}`;

/** Measured queries. */
const queriesOf = (rows: number): readonly (readonly [string, object])[] => [
  ['exact', { search: codeOf(rows / 2) }],
  ['prefix of one character', { search: 'E' }],
  ['prefix', { search: codeOf(7).slice(0, 9) }],
  ['any part', { search: codeOf(12_345).slice(8, 16) }],
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

/** Milliseconds for which the server's main thread was blocked since the last message. */
async function delayOf({ child }: ServerProcess): Promise<number> {
  const told = new Promise<number>((resolve) => child.once('message', (answer) => resolve(answer as number)));
  child.send('delay');
  return told;
}

/** Measures how long searches in access tokens on SQLite, and their import, block the server's main thread. */
export const compareSearches = ({ rounds, isQuick, wants }: Scope): Promise<Outcomes> =>
  inFolder(async (folder) => {
    const rows = isQuick ? ROWS.quick : ROWS.full;
    const file = join(folder, 'codes.csv');
    await writeFile(file, Array.from({ length: rows }, (_, index) => `${codeOf(index)}\n`).join(''));
    const server = await startServer(join(import.meta.dirname, 'serve-enfilade.ts'), folder, file, String(rows));
    try {
      const { origin, token, indexed, imported } = server.said as Record<string, string>;
      const outcomes: Outcomes = { '10 import': { value: Number(imported) } };
      if (!wants('10 search')) return outcomes;
      const client = createClient({ origin: origin!, token: () => token!, timeout: 120_000 });
      let longest = 0;
      let slowest = '';
      let slowestMs = 0;
      for (const [title, query] of queriesOf(rows))
        for (let round = 0; round < rounds; round++) {
          // Lets other work of the server finish.
          await passed(200);
          server.child.send('reset');
          const begun = performance.now();
          await client.accessTokens.list({ query });
          slowestMs = Math.max(slowestMs, performance.now() - begun);
          const delay = await delayOf(server);
          if (delay > longest) slowest = title;
          longest = Math.max(longest, delay);
        }
      const detail = `longest: ${slowest}; slowest answer ${slowestMs.toFixed(0)} ms; index built in ${indexed} ms`;
      return { ...outcomes, '10 search': { value: longest, detail } };
    } finally {
      server.child.kill('SIGKILL');
    }
  });
