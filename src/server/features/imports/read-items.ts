import { MOST_OF_FILE } from '../../../contract/calls/imports.ts';
import { itemsIn, type Json } from '../../core/files/inspect/items/items-in-file.ts';
import { ITEMS_FIELD, refuseItems } from '../../core/files/inspect/items/refuse-items.ts';
import type { Upload } from '../../core/files/upload.ts';
import type { Services } from '../../core/services.ts';

/** A checked file of things to import, on disk until it is disposed of. */
export interface ItemFile {
  /** SHA-256 of the file, hexadecimal. */
  hash: string;
  /** Its things in their order, one at a time. */
  items(): AsyncIterable<Json>;
  /** Lets it go. */
  discard(): Promise<void>;
}

/**
 * Takes a file of things to import, one as JSON on each line, and has a worker check that all of it can be read. It is on disk
 * meanwhile, and one thing of it at a time in memory.
 * @throws ApiError bad_file naming the line, or too_large; nothing of such a file is used
 */
export async function readItems(
  { media, workers }: Pick<Services, 'media' | 'workers'>,
  upload: Upload | undefined,
): Promise<ItemFile> {
  if (!upload) throw refuseItems('invalid', 'Choose a file.');
  const arrival = await media.receive(upload, { field: ITEMS_FIELD, most: MOST_OF_FILE, mayBeEmpty: true });
  const discard = () => media.discard(arrival);
  try {
    await workers.run('checkItems', arrival.file);
    return { hash: arrival.hash, items: () => itemsIn(workers, arrival.file), discard };
  } catch (error) {
    await discard();
    throw error;
  }
}
