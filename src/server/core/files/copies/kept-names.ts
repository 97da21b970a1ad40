import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';

/** Paths written by the library: the folder of an image's tiles, and the file of the whole image next to it. */
export const CUT = 'picture_files/0';
export const WHOLE = 'whole.jpeg';

/** Name of a cached copy: a short hash of the path, without folders. */
export const copyName = (entry: string): string => createHash('sha256').update(entry).digest('hex').slice(0, 32);

/**
 * Requires the original of a copy to exist: anyone can make up file URLs.
 * @throws if it doesn't exist
 */
export async function requireFile(path: string): Promise<void> {
  if (!(await stat(path)).isFile()) throw new Error('File not found.');
}
