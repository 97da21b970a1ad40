import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { ApiError } from '../../../../contract/errors.ts';
import { damaged } from './inspection.ts';

/** Bounds of an archive. */
export const ARCHIVE_LIMITS = { entries: 2000, levels: 32, unpacked: 500 * 1024 * 1024, ratio: 100 } as const;

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

/** Most bytes of a path in an archive, and of each name in it: file systems and buckets take no more. */
const MAX_PATH_LENGTH = 900;
const MAX_NAME_LENGTH = 255;

const shown = (name: string) => JSON.stringify(name.slice(0, 80));

function checkName(name: string): void {
  const unsafe = name.startsWith('/') || /^[a-z]:/i.test(name) || name.includes('\0') || name.split('/').includes('..');
  if (unsafe) throw damaged(`The archive holds an unsafe path: ${shown(name)}.`);
  if (
    Buffer.byteLength(name) > MAX_PATH_LENGTH ||
    name.split('/').some((part) => Buffer.byteLength(part) > MAX_NAME_LENGTH)
  )
    throw damaged(`The archive holds a path that is too long: ${shown(name)}.`);
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

/** Names that systems put into archives, which are left out. */
const isClutter = (name: string) => /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$)/.test(name);

/** The folder that holds everything, with its slash; empty when there is none. */
function commonRoot(names: string[]): string {
  const first = names[0]?.split('/')[0] ?? '';
  return names.length > 0 && names.every((name) => name.startsWith(`${first}/`)) ? `${first}/` : '';
}

/** A path without the parts that lead nowhere. */
const plainPath = (path: string) =>
  path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');

/** Refuses what could not stand beside one another on a disk, whatever the disk takes for the same name. */
function checkPlaces(paths: string[]): void {
  const keyOf = (path: string) => path.normalize('NFC').toLowerCase();
  const seen = new Set<string>();
  for (const path of paths) {
    const key = keyOf(path);
    if (key === '') throw damaged('The archive holds a file without a name.');
    if (seen.has(key)) throw damaged(`The archive holds ${shown(path)} twice.`);
    seen.add(key);
  }
  const folders = new Set<string>();
  for (const path of paths) {
    const parts = keyOf(path).split('/');
    if (parts.length > ARCHIVE_LIMITS.levels)
      throw damaged(`The archive holds folders in more than ${ARCHIVE_LIMITS.levels} levels: ${shown(path)}.`);
    for (let level = 1; level < parts.length; level++) {
      const folder = parts.slice(0, level).join('/');
      if (seen.has(folder)) throw damaged(`The archive holds ${shown(path)} in a folder that is also a file.`);
      folders.add(folder);
    }
  }
  if (folders.size > ARCHIVE_LIMITS.entries)
    throw damaged(`The archive holds more than ${ARCHIVE_LIMITS.entries} folders.`);
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
  const files = wanted.map((entry) => ({ path: plainPath(entry.fileName.slice(root.length)), entry }));
  checkPlaces(files.map(({ path }) => path));
  return files;
}

/** Opens an archive. */
export async function openArchive(path: string): Promise<ZipFile> {
  try {
    return await openPromise(path, { lazyEntries: true, strictFileNames: false, autoClose: false });
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
      // What the disk says, such as that it is full, is no fault of the archive.
      if (error instanceof ApiError || (error as NodeJS.ErrnoException).syscall) throw error;
      throw damaged(`The archive is damaged at ${shown(path)}.`);
    }
  }
}
