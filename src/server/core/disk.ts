import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** Whether something is at a path. */
export const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** An open file: its size in bytes, and what is in it. */
export interface OpenFile {
  bytes: number;
  content: Readable;
}

/** Opens a file, unless it is not there. */
export async function openFile(path: string): Promise<OpenFile | null> {
  const opened = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (!opened) return null;
  const { size } = await opened.stat();
  return { bytes: size, content: opened.createReadStream() };
}

/**
 * Paths of the files in a folder and those below it, in the order of their names.
 * @param isLeftOut whether a folder is passed over, by its path
 */
export async function* filesBelow(
  root: string,
  isLeftOut: (path: string) => boolean,
  path = '',
): AsyncGenerator<string> {
  const entries = await readdir(join(root, path), { withFileTypes: true }).catch(() => []);
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const below = path ? `${path}/${entry.name}` : entry.name;
    if (entry.isDirectory() && !isLeftOut(below)) yield* filesBelow(root, isLeftOut, below);
    else if (entry.isFile()) yield below;
  }
}

/** Makes sure that a file, or the names in a folder, are on the disk. */
export async function sync(path: string): Promise<void> {
  const opened = await open(path);
  await opened.sync().finally(() => opened.close());
}

/** The same for a file, or a folder with all that is in it. */
export async function syncAll(path: string): Promise<void> {
  if ((await stat(path)).isDirectory()) for (const name of await readdir(path)) await syncAll(join(path, name));
  await sync(path);
}

/** SHA-256 of a file, hexadecimal. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest('hex');
}
