import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { ApiError } from '../../../contract/errors.ts';
import { damaged } from './inspection.ts';

/** Bounds of an archive. */
export const ARCHIVE_LIMITS = { entries: 2000, unpacked: 500 * 1024 * 1024, ratio: 100 } as const;

/** Kind of a Unix file, in the upper half of the external attributes; links must not be unpacked. */
const LINK = 0o120000;
const KIND = 0o170000;
/** Bit of the general flags that marks an encrypted entry. */
const ENCRYPTED = 1;
/** Length of a local header before its name. */
const LOCAL_HEADER = 30;

/** A file of an archive, by the path under which it is unpacked. */
export interface ArchiveFile {
  path: string;
  entry: Entry;
}

function checkName(name: string): void {
  const unsafe =
    name.startsWith('/') ||
    /^[a-z]:/i.test(name) ||
    name.includes('\\') ||
    name.includes('\0') ||
    name.split('/').includes('..');
  if (unsafe) throw damaged(`The archive holds an unsafe path: ${JSON.stringify(name.slice(0, 80))}.`);
}

function checkEntry(entry: Entry): void {
  checkName(entry.fileName);
  if (((entry.externalFileAttributes >>> 16) & KIND) === LINK)
    throw damaged('The archive holds a link; pack the file itself.');
  if (entry.generalPurposeBitFlag & ENCRYPTED) throw damaged('The archive is protected by a password.');
  if (entry.uncompressedSize > ARCHIVE_LIMITS.unpacked) throw damaged('The archive unpacks to more than 500 MB.');
}

/** Two entries that share bytes are how small archives unpack to huge ones. */
function checkOverlap(entries: Entry[]): void {
  const sorted = entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader);
  let end = 0;
  for (const entry of sorted) {
    if (entry.relativeOffsetOfLocalHeader < end) throw damaged('The archive holds entries that overlap.');
    end = entry.relativeOffsetOfLocalHeader + LOCAL_HEADER + entry.compressedSize;
  }
}

/** Names that systems put into archives and nobody wants. */
const isClutter = (name: string) => /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$)/.test(name);

/** The folder that holds everything, with its slash; empty when there is none. */
function commonRoot(names: string[]): string {
  const first = names[0]?.split('/')[0] ?? '';
  return names.length > 0 && names.every((name) => name.startsWith(`${first}/`)) ? `${first}/` : '';
}

async function readDirectory(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      if (entries.length >= ARCHIVE_LIMITS.entries)
        throw damaged(`The archive holds more than ${ARCHIVE_LIMITS.entries} files.`);
      checkEntry(entry);
      entries.push(entry);
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const isPath = /path|fileName/.test(error instanceof Error ? error.message : '');
    throw damaged(isPath ? 'The archive holds an unsafe path.' : 'The archive is damaged.');
  }
  return entries;
}

/**
 * Checks the whole directory of an archive before anything is written.
 * @returns its files, without clutter and without a folder around everything
 * @throws ApiError bad_file naming what is wrong
 */
export async function readArchive(zip: ZipFile, archiveBytes: number): Promise<ArchiveFile[]> {
  const entries = await readDirectory(zip);
  checkOverlap(entries);
  const unpacked = entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0);
  if (unpacked > ARCHIVE_LIMITS.unpacked) throw damaged('The archive unpacks to more than 500 MB.');
  if (unpacked > archiveBytes * ARCHIVE_LIMITS.ratio)
    throw damaged('The archive unpacks to more than a hundred times its size.');
  const wanted = entries.filter(({ fileName }) => !fileName.endsWith('/') && !isClutter(fileName));
  const root = commonRoot(wanted.map(({ fileName }) => fileName));
  const files = wanted.map((entry) => ({ path: entry.fileName.slice(root.length), entry }));
  const seen = new Set<string>();
  for (const { path } of files) {
    const key = path.normalize('NFC').toLowerCase();
    if (seen.has(key)) throw damaged(`The archive holds ${JSON.stringify(path.slice(0, 80))} twice.`);
    seen.add(key);
  }
  return files;
}

/** Opens an archive. */
export async function openArchive(path: string): Promise<ZipFile> {
  try {
    return await openPromise(path, { lazyEntries: true, strictFileNames: true, autoClose: false });
  } catch {
    throw damaged('The archive is damaged.');
  }
}

/** Unpacks files that `readArchive` gave into a folder. */
export async function unpack(zip: ZipFile, files: ArchiveFile[], folder: string): Promise<void> {
  let total = 0;
  for (const { path, entry } of files) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    // Sizes in the directory are claims; what really comes out is counted.
    const count = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        total += chunk.length;
        done(total > ARCHIVE_LIMITS.unpacked ? damaged('The archive unpacks to more than 500 MB.') : null, chunk);
      },
    });
    try {
      await pipeline(await zip.openReadStreamPromise(entry), count, createWriteStream(target, { flags: 'wx' }));
    } catch (error) {
      if (error instanceof ApiError) throw error;
      throw damaged(`The archive is damaged at ${JSON.stringify(path.slice(0, 80))}.`);
    }
  }
}
