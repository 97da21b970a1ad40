import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

export const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** An open file: its size in bytes and its content. */
export interface OpenFile {
  bytes: number;
  content: Readable;
}

/** Opens a file; null if it doesn't exist. */
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
 * Paths of all files in a folder and its subfolders, sorted by name.
 * @param isLeftOut whether to skip a folder, by its path
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

/** Flushes a file or a directory entry to disk. */
export async function sync(path: string): Promise<void> {
  const opened = await open(path);
  await opened.sync().finally(() => opened.close());
}

/** Flushes a file, or a folder with its content. */
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
