import { randomUUID } from 'node:crypto';
import { createWriteStream, openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ImportPlan } from '../../src/contract/entities.ts';
import { ApiError } from '../../src/contract/errors.ts';
import { MAX_IMPORT_FILE_BYTES, MAX_ITEMS_IN_FILE } from '../../src/contract/file-limits.ts';
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

/** Sends a file of entities of one kind to the server. */
export type SendFile = (
  request: { body: Switches; files: { items_file: File } },
  idempotencyKey: string,
) => Promise<ImportPlan>;

const SPLIT = 'Split it into several files. Each file is imported as a whole.';

/** Items as JSON lines, up to the size limit. */
async function* linesOf(items: Iterable<Item> | AsyncIterable<Item>, places: Places): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const item of items) {
    places.add(item);
    const line = Buffer.from(`${JSON.stringify(item.value)}\n`);
    bytes += line.length;
    if (places.count > MAX_ITEMS_IN_FILE)
      throw wrongError(`The import has more than ${MAX_ITEMS_IN_FILE} items.`, SPLIT);
    if (bytes > MAX_IMPORT_FILE_BYTES)
      throw wrongError(`The import is larger than ${MAX_IMPORT_FILE_BYTES / 1024 / 1024} MB.`, SPLIT);
    yield line;
  }
}

/**
 * Imports items as a file, with one item in memory at a time. All are read before sending: an invalid or
 * truncated file never reaches the server.
 * @returns the result or the problems, and the location of each item
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
    // The idempotency key makes retries safe.
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
 * Imports items as a file and prints the result, with confirmation.
 * @param items reads them: once for the preview and once for the import
 * @throws CliError listing all problems with file, line and column
 */
export async function importFile(
  items: () => Parameters<typeof sendItems>[0],
  options: ImportOptions,
  send: SendFile,
): Promise<void> {
  await withConsent(options, async (isTried) => {
    const { plan, places } = await sendItems(items(), { ...options, dryRun: isTried }, send);
    // With --json, a rejected plan is printed too.
    if (options.json) process.stdout.write(jsonText(plan));
    refuseWrong(plan, (index) => places.at(index));
    if (!options.json) process.stdout.write(planText(plan, isTried));
    return changesAny(plan);
  });
}
