import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { ApiError } from '../../../../contract/errors.ts';
import { damaged } from './inspection.ts';

/** Limits of an archive. */
export const ARCHIVE_LIMITS = { entries: 2000, levels: 32, unpacked: 500 * 1024 * 1024, ratio: 100 } as const;

/** Unix file type of symbolic links, in the upper half of the external attributes; links must not be unpacked. */
const LINK = 0o120000;
const KIND = 0o170000;
/** General-purpose flag of an encrypted entry. */
const ENCRYPTED = 1;
/** Length of a local header up to the file name. */
const LOCAL_HEADER = 30;

/** A file of an archive, with its path after unpacking. */
export interface ArchiveFile {
  path: string;
  entry: Entry;
}

/** Maximum length in bytes of a path in an archive, and of each segment: limits of file systems and buckets. */
const MAX_PATH_LENGTH = 900;
const MAX_NAME_LENGTH = 255;

const shown = (name: string) => JSON.stringify(name.slice(0, 80));

function checkName(name: string): void {
  const unsafe = name.startsWith('/') || /^[a-z]:/i.test(name) || name.includes('\0') || name.split('/').includes('..');
  if (unsafe) throw damaged(`The archive contains an unsafe path: ${shown(name)}.`);
  if (
    Buffer.byteLength(name) > MAX_PATH_LENGTH ||
    name.split('/').some((part) => Buffer.byteLength(part) > MAX_NAME_LENGTH)
  )
    throw damaged(`The archive contains a path that is too long: ${shown(name)}.`);
}

function checkEntry(entry: Entry): void {
  checkName(entry.fileName);
  if (((entry.externalFileAttributes >>> 16) & KIND) === LINK)
    throw damaged('The archive contains a link. Add the file itself.');
  if (entry.generalPurposeBitFlag & ENCRYPTED) throw damaged('The archive is encrypted. Create it without a password.');
  if (entry.uncompressedSize > ARCHIVE_LIMITS.unpacked) throw damaged('The unpacked archive is larger than 500 MB.');
}

/** Overlapping entries make zip bombs. */
function checkOverlap(entries: Entry[]): void {
  const sorted = entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader);
  let end = 0;
  for (const entry of sorted) {
    if (entry.relativeOffsetOfLocalHeader < end) throw damaged('The archive contains overlapping entries.');
    end = entry.relativeOffsetOfLocalHeader + LOCAL_HEADER + entry.compressedSize;
  }
}

/** Files that operating systems add to archives; they are skipped. */
const isClutter = (name: string) => /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$)/.test(name);

/** The folder that contains everything, with trailing slash; empty if there is none. */
function commonRoot(names: string[]): string {
  const first = names[0]?.split('/')[0] ?? '';
  return names.length > 0 && names.every((name) => name.startsWith(`${first}/`)) ? `${first}/` : '';
}

/** A path without empty and `.` segments. */
const plainPath = (path: string) =>
  path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');

/** Rejects paths that collide on case-insensitive or normalizing file systems. */
function checkPlaces(paths: string[]): void {
  const keyOf = (path: string) => path.normalize('NFC').toLowerCase();
  const seen = new Set<string>();
  for (const path of paths) {
    const key = keyOf(path);
    if (key === '') throw damaged('The archive contains a file without a name.');
    if (seen.has(key)) throw damaged(`The archive contains ${shown(path)} twice.`);
    seen.add(key);
  }
  const folders = new Set<string>();
  for (const path of paths) {
    const parts = keyOf(path).split('/');
    if (parts.length > ARCHIVE_LIMITS.levels)
      throw damaged(`The archive has more than ${ARCHIVE_LIMITS.levels} levels of folders: ${shown(path)}.`);
    for (let level = 1; level < parts.length; level++) {
      const folder = parts.slice(0, level).join('/');
      if (seen.has(folder)) throw damaged(`The archive contains ${shown(path)} in a folder that is also a file.`);
      folders.add(folder);
    }
  }
  if (folders.size > ARCHIVE_LIMITS.entries)
    throw damaged(`The archive contains more than ${ARCHIVE_LIMITS.entries} folders.`);
}

async function readDirectory(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      if (entries.length >= ARCHIVE_LIMITS.entries)
        throw damaged(`The archive contains more than ${ARCHIVE_LIMITS.entries} files.`);
      checkEntry(entry);
      entries.push(entry);
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const isPath = /path|fileName/.test(error instanceof Error ? error.message : '');
    throw damaged(isPath ? 'The archive contains an unsafe path.' : 'The archive is damaged.');
  }
  return entries;
}

/**
 * Checks an archive's whole directory before anything is written.
 * @returns its files, without clutter and without an enclosing folder
 * @throws ApiError bad_file naming what is wrong
 */
export async function readArchive(zip: ZipFile, archiveBytes: number): Promise<ArchiveFile[]> {
  const entries = await readDirectory(zip);
  checkOverlap(entries);
  const unpacked = entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0);
  if (unpacked > ARCHIVE_LIMITS.unpacked) throw damaged('The unpacked archive is larger than 500 MB.');
  if (unpacked > archiveBytes * ARCHIVE_LIMITS.ratio)
    throw damaged('The unpacked archive is more than 100 times as large as the archive.');
  const wanted = entries.filter(({ fileName }) => !fileName.endsWith('/') && !isClutter(fileName));
  const [only] = wanted;
  if (wanted.length === 1 && only && /\.(?:zip|rar|7z|tar|gz)$/i.test(only.fileName))
    throw damaged(`The archive contains only another archive, ${shown(only.fileName)}. Unpack it, then add that one.`);
  const root = commonRoot(wanted.map(({ fileName }) => fileName));
  const files = wanted.map((entry) => ({ path: plainPath(entry.fileName.slice(root.length)), entry }));
  checkPlaces(files.map(({ path }) => path));
  return files;
}

export async function openArchive(path: string): Promise<ZipFile> {
  try {
    return await openPromise(path, { lazyEntries: true, strictFileNames: false, autoClose: false });
  } catch {
    throw damaged('The archive is damaged.');
  }
}

/** Unpacks files from `readArchive` into a folder. */
export async function unpack(zip: ZipFile, files: ArchiveFile[], folder: string): Promise<void> {
  let total = 0;
  for (const { path, entry } of files) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    // Declared sizes are untrusted: the actual output is counted.
    const count = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        total += chunk.length;
        done(total > ARCHIVE_LIMITS.unpacked ? damaged('The unpacked archive is larger than 500 MB.') : null, chunk);
      },
    });
    try {
      await pipeline(await zip.openReadStreamPromise(entry), count, createWriteStream(target, { flags: 'wx' }));
    } catch (error) {
      // System errors, such as a full disk, are no fault of the archive.
      if (error instanceof ApiError || (error as NodeJS.ErrnoException).syscall) throw error;
      throw damaged(`The archive is damaged at ${shown(path)}.`);
    }
  }
}
