import { randomUUID } from 'node:crypto';
import { createWriteStream, openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { MAX_IMPORT_FILE_BYTES, MAX_ITEMS_IN_FILE } from '../../src/contract/calls/imports.ts';
import type { ImportPlan } from '../../src/contract/entities.ts';
import { ApiError } from '../../src/contract/errors.ts';
import { wrongError } from '../failure.ts';
import { CountedFile } from '../io/counted-file.ts';
import type { Item } from '../io/read-items.ts';
import { temporaryFolder } from '../io/temporary.ts';
import { jsonText } from '../io/write-output.ts';
import type { ImportOptions } from '../report/import-options.ts';
import { Progress } from '../report/progress.ts';
import { withConsent } from '../safety/consent.ts';
import { noteArrival } from '../stopping.ts';
import { Places } from './places.ts';
import { changesAny, planText, refuseWrong, type Switches, switchesOf } from './send-import.ts';

/** Sends a file of things of one kind to the server. */
export type SendFile = (
  request: { body: Switches; files: { items_file: File } },
  idempotencyKey: string,
) => Promise<ImportPlan>;

const SPLIT = 'Split it into several files; each is imported as a whole.';

/** Everything as lines of JSON, as long as it is not too much. */
async function* linesOf(items: Iterable<Item> | AsyncIterable<Item>, places: Places): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const item of items) {
    places.add(item);
    const line = Buffer.from(`${JSON.stringify(item.value)}\n`);
    bytes += line.length;
    if (places.count > MAX_ITEMS_IN_FILE) throw wrongError(`These are more than ${MAX_ITEMS_IN_FILE}.`, SPLIT);
    if (bytes > MAX_IMPORT_FILE_BYTES)
      throw wrongError(`These are more than ${MAX_IMPORT_FILE_BYTES / 1024 / 1024} MB.`, SPLIT);
    yield line;
  }
}

/**
 * Imports things as a file, of which one at a time is in memory. All of them are read before the first is sent: a file that
 * is wrong or cut off never reaches the server.
 * @returns what was done, or what is wrong, and where each thing stands
 */
export async function sendItems(
  items: Iterable<Item> | AsyncIterable<Item>,
  options: ImportOptions,
  send: SendFile,
): Promise<{ plan: ImportPlan; places: Places }> {
  const places = new Places();
  const path = join(temporaryFolder(), 'items.ndjson');
  await pipeline(Readable.from(linesOf(items, places)), createWriteStream(path));
  const { size } = await stat(path);
  const progress = new Progress(size, { quiet: options.json });
  let sent = 0;
  const count = (bytes: number) => {
    progress.add(bytes);
    sent += bytes;
    noteArrival(sent >= size && !options.dryRun);
  };
  const content = new CountedFile(await openAsBlob(path), 'items.ndjson', count);
  try {
    // The key lets the server do it once, however often it is sent.
    const plan = await send({ body: switchesOf(options), files: { items_file: content } }, randomUUID());
    return { plan, places };
  } catch (error) {
    if (!(error instanceof ApiError) || !error.msg.items_file) throw error;
    throw wrongError(`Nothing was imported. ${error.msg.items_file.join(' ')}`, error.suggestion);
  } finally {
    noteArrival(false);
    progress.end();
  }
}

/**
 * Imports things as a file and prints what was done, by the rule of what changes much at once.
 * @param items reads them: once to tell what would be done, and once to do it
 * @throws CliError naming everything that is wrong, with file, line and column
 */
export async function importFile(
  items: () => Parameters<typeof sendItems>[0],
  options: ImportOptions,
  send: SendFile,
): Promise<void> {
  await withConsent(options, async (isTried) => {
    const { plan, places } = await sendItems(items(), { ...options, dryRun: isTried }, send);
    // Machines get the plan of what is refused as well.
    if (options.json) process.stdout.write(jsonText(plan));
    refuseWrong(plan, (index) => places.at(index));
    if (!options.json) process.stdout.write(planText(plan, isTried));
    return changesAny(plan);
  });
}
