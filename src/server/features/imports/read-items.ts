import { MAX_IMPORT_FILE_BYTES } from '../../../contract/file-limits.ts';
import { type Json, type Line, linesOf, readLine, SHORT_LINE } from '../../core/files/inspect/items/items-in-file.ts';
import { ElementsText } from '../../core/files/inspect/items/read-elements.ts';
import { ITEMS_FIELD, refuseItems } from '../../core/files/inspect/items/refuse-items.ts';
import type { Upload } from '../../core/files/upload.ts';
import type { Workers } from '../../core/files/workers/workers.ts';
import type { Services } from '../../core/services.ts';
import { WorkInPieces } from '../../core/work-in-pieces.ts';

/** A validated import file, on disk until it is discarded. */
export interface ItemFile {
  /** SHA-256 of the file, hexadecimal. */
  hash: string;
  /** Its items in order, one at a time. */
  items(): AsyncIterable<Json>;
  /** Deletes the file. */
  discard(): Promise<void>;
}

/**
 * Receives an import file with one JSON object per line, and validates it in a worker. The file is on disk, with one item
 * in memory at a time.
 * @throws ApiError bad_file with the line, or too_large; nothing of such a file is imported
 */
export async function readItems(
  { media, workers }: Pick<Services, 'media' | 'workers'>,
  upload: Upload | undefined,
): Promise<ItemFile> {
  if (!upload) throw refuseItems('invalid', 'Choose a file.');
  const arrival = await media.receive(upload, { field: ITEMS_FIELD, most: MAX_IMPORT_FILE_BYTES, mayBeEmpty: true });
  const discard = () => media.discard(arrival);
  try {
    await workers.run('checkItems', arrival.file);
    return { hash: arrival.hash, items: () => itemsIn(workers, arrival.file), discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

/** Parses a long line in a worker. */
async function longItem(workers: Workers, line: Line): Promise<Json | null> {
  const found = await workers.run('splitItem', line);
  if (!found) return null;
  const item = JSON.parse(found.item) as Json;
  return found.elements === null ? item : { ...item, elements: new ElementsText(found.elements) };
}

/**
 * The items of a file with one JSON object per line; empty lines are skipped. The elements of a large item are an `ElementsText`.
 * @throws ApiError bad_file with the line, or too_large
 */
async function* itemsIn(workers: Workers, file: string): AsyncGenerator<Json> {
  const work = new WorkInPieces();
  for await (const line of linesOf(file)) {
    const item = line.bytes.length > SHORT_LINE ? await longItem(workers, line) : readLine(line);
    if (item) yield item;
    await work.pause();
  }
}
