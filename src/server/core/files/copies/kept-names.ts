import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';

/** Folder in which the library puts the tiles of a picture, and the file of the whole picture beside it. */
export const CUT = 'picture_files/0';
export const WHOLE = 'whole.jpeg';

/** Under which name copies of a file are kept beside its content: the same for the same path, short, and without folders. */
export const copyName = (entry: string): string => createHash('sha256').update(entry).digest('hex').slice(0, 32);

/**
 * Makes sure that there is a file to make copies of: addresses of files can be made up by anybody.
 * @throws when there is none
 */
export async function requireFile(path: string): Promise<void> {
  if (!(await stat(path)).isFile()) throw new Error('There is no such file.');
}
