import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Disk usage and last access of a folder. */
interface Use {
  folder: string;
  bytes: number;
  /** Milliseconds. File systems update access times about once a day. */
  at: number;
}

async function lookAt(folder: string): Promise<Use> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const use: Use = { folder, bytes: 0, at: 0 };
  for (const entry of entries.filter((entry) => entry.isFile())) {
    const found = await stat(join(entry.parentPath, entry.name)).catch(() => null);
    if (!found) continue;
    use.bytes += found.size;
    use.at = Math.max(use.at, found.atimeMs, found.mtimeMs);
  }
  return use;
}

/**
 * Deletes the least recently used folders until the others fit.
 * @param folders each is deleted or retained as a whole
 * @param most maximum remaining bytes
 * @returns number of deleted folders
 */
export async function trimCopies(folders: AsyncIterable<string>, most: number): Promise<number> {
  const uses: Use[] = [];
  for await (const folder of folders) uses.push(await lookAt(folder));
  let bytes = uses.reduce((sum, use) => sum + use.bytes, 0);
  let removed = 0;
  for (const use of uses.sort((a, b) => a.at - b.at)) {
    if (bytes <= most) break;
    await rm(use.folder, { recursive: true, force: true });
    bytes -= use.bytes;
    removed++;
  }
  return removed;
}
