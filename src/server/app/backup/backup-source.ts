import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { BackupError } from './manifest.ts';

/** Source of a backup. */
export interface BackupSource {
  /** Name of a file in messages. */
  nameOf(path: string): string;
  /** Size of a file in bytes; undefined if it doesn't exist. */
  sizeOf(path: string): Promise<number | undefined>;
  open(path: string): Promise<Readable>;
  close(): void;
}

/** A backup in a folder. */
const folderSource = (folder: string): BackupSource => ({
  nameOf: (path) => join(folder, path),
  sizeOf: async (path) => (await stat(join(folder, path)).catch(() => null))?.size,
  open: async (path) => createReadStream(join(folder, path)),
  close: () => {},
});

/** Archive entries by name. A truncated zip has none, because the central directory comes last. */
async function entriesOf(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    if (entries.has(entry.fileName)) throw new Error(`${entry.fileName} is in it twice`);
    entries.set(entry.fileName, entry);
  }
  return entries;
}

/** A backup in a zip file. */
async function archiveSource(file: string): Promise<BackupSource> {
  let zip: ZipFile | undefined;
  try {
    zip = await openPromise(file, { lazyEntries: true, autoClose: false, validateEntrySizes: true });
    const entries = await entriesOf(zip);
    const opened = zip;
    return {
      nameOf: (path) => `${path} in ${file}`,
      sizeOf: async (path) => entries.get(path)?.uncompressedSize,
      open: (path) => opened.openReadStreamPromise(entries.get(path)!),
      close: () => opened.close(),
    };
  } catch (error) {
    zip?.close();
    throw new BackupError(`${file} is no backup, or is cut off: ${(error as Error).message}.`);
  }
}

/**
 * Opens a backup: a folder or an archive.
 * @throws BackupError if there is none, or the archive can't be read
 */
export async function openBackup(place: string): Promise<BackupSource> {
  const found = await stat(place).catch(() => null);
  if (!found) throw new BackupError(`${place} is no backup: it is not there.`);
  return found.isDirectory() ? folderSource(place) : archiveSource(place);
}
