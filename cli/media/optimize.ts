import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../src/contract/client.ts';
import type { Media } from '../../src/contract/entities.ts';
import { type AddCommand, connected, examples } from '../command.ts';
import { usageError } from '../failure.ts';
import { jsonText } from '../io/write-output.ts';
import { mediaIdOf, mediaWithIds } from './each-media.ts';

/** Milliseconds between questions for the progress. */
const PACE = 1000;

interface Options {
  all: boolean;
  wait: boolean;
  json: boolean;
}

/** Waits until no file is being converted. @param count number of files that wait now */
async function untilConverted(count: () => Promise<number>, quiet: boolean): Promise<void> {
  for (let shown = -1; ; await sleep(PACE)) {
    const waiting = await count();
    if (!quiet && waiting !== shown) process.stderr.write(`${waiting} waiting\n`);
    shown = waiting;
    if (waiting === 0) return;
  }
}

/** Number of files among some that wait for their conversion. */
const waitingAmong = async (client: Client, ids: readonly number[]) =>
  [...(await mediaWithIds(client, ids)).values()].filter(({ optimized }) => optimized?.state === 'waiting').length;

function lineOf({ id, name, bytes, optimized, loudness, gain }: Media): string {
  if (!optimized) return `${id}  ${name}: only images, models, audio and videos are converted\n`;
  const { state, reason, bytes: after, loudness_reason } = optimized;
  const kept = `${state === 'kept' ? 'kept as it is.' : 'waiting.'} ${reason}`.trimEnd();
  const size = state === 'done' ? `${bytes} → ${after} bytes.` : kept;
  const sound = typeof loudness === 'number' ? `${loudness} LUFS, gain ${gain} dB.` : loudness_reason;
  return `${id}  ${name}: ${size} ${sound}`.trimEnd().concat('\n');
}

export const optimizeMedia: AddCommand = (media) => {
  media
    .command('optimize')
    .description(
      'make lighter versions of files that have none (images, models) or that start late (MP4), measure the loudness of audio and videos, and wait for it; the files stay',
    )
    .argument('[ids...]', 'file IDs')
    .option('--all', 'all files', false)
    .option('--no-wait', "don't wait for the conversions")
    .option('--json', 'print JSON', false)
    .addHelpText('after', examples('enfilade media optimize 7 8', 'enfilade media optimize --all'))
    .action(
      connected(async ({ client }, words: string[], { all, wait, json }: Options) => {
        if (all === words.length > 0)
          throw usageError(
            all ? "--all and file IDs can't be combined." : 'No file specified.',
            'Specify IDs, or use --all.',
          );
        const ids = [...new Set(words.map(mediaIdOf))];
        const { planned } = await client.media.optimize({ body: all ? {} : { ids } });
        if (!json) process.stderr.write(`${planned} planned\n`);
        if (all) {
          if (wait) await untilConverted(async () => (await client.media.optimizing()).waiting, json);
          const sums = await client.media.optimizing();
          const text = `${sums.done} lighter: ${sums.bytes_before} → ${sums.bytes} bytes. ${sums.kept} kept, ${sums.waiting} waiting.\n`;
          process.stdout.write(json ? jsonText(sums) : text);
          return;
        }
        if (wait) await untilConverted(() => waitingAmong(client, ids), json);
        const found = await mediaWithIds(client, ids);
        const files = ids.flatMap((id) => found.get(id) ?? []);
        process.stdout.write(json ? jsonText(files) : files.map(lineOf).join(''));
      }),
    );
};
