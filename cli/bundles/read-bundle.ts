import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Transform, type TransformCallback } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { type Entry, fromBuffer, open, type ZipFile } from 'yauzl';
import { newerVersion } from '../../engine/document/migrations.ts';
import { CliError, diskError, wrongError } from '../failure.ts';
import { temporaryFolder } from '../io/temporary.ts';
import {
  BUNDLE_VERSION,
  MANIFEST,
  MAX_BUNDLE_BYTES,
  MAX_FILES,
  type Manifest,
  manifestSchema,
  ROOM,
} from './bundle.ts';

/** A validated and unpacked bundle. */
export interface Bundle {
  manifest: Manifest;
  /** The room's document, with placeholders for media URLs. */
  room: string;
  /** Location of each media file on disk, by its path in the bundle. */
  files: ReadonlyMap<string, string>;
}

/** Limit on the bytes of a document in a bundle. */
const MAX_JSON_BYTES = 64 * 1024 * 1024;
const STORED = 0;
const DEFLATED = 8;
/** Maximum compression ratio of an entry, against zip bombs. */
const MAX_RATIO = 100;

const damaged = (file: string, reason: string): CliError =>
  wrongError(`${file} isn't a valid bundle.`, 'Export the room again.', [{ file, reason }]);

/** Lists all entries of the archive before reading any content. */
async function entriesOf(zip: ZipFile, file: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  const seen = new Set<string>();
  let bytes = 0;
  await new Promise<void>((resolve, reject) => {
    zip.on('entry', (entry: Entry) => {
      const { fileName: name, uncompressedSize: size, compressedSize, compressionMethod: method } = entry;
      const known = name === MANIFEST || name === ROOM || /^media\/[0-9a-f]{64}$/.test(name);
      bytes += size;
      if (!known) return reject(damaged(file, `unexpected file "${name.slice(0, 100)}"`));
      if (seen.has(name)) return reject(damaged(file, `duplicate file ${name}`));
      if (entries.length >= MAX_FILES || bytes > MAX_BUNDLE_BYTES) return reject(damaged(file, 'too many files'));
      if ((method !== STORED && method !== DEFLATED) || size > compressedSize * MAX_RATIO + 1000)
        return reject(damaged(file, `unsupported compression of ${name}`));
      seen.add(name);
      entries.push(entry);
      zip.readEntry();
    });
    zip.on('end', resolve);
    zip.on('error', (error: Error) => reject(damaged(file, error.message)));
    zip.readEntry();
  });
  return entries;
}

/** Writes an entry to disk; its content must match the hash in its name. */
async function unpack(zip: ZipFile, entry: Entry, target: string, file: string): Promise<void> {
  const hash = createHash('sha256');
  const check = new Transform({
    transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(await zip.openReadStreamPromise(entry), check, createWriteStream(target));
  if (entry.fileName !== `media/${hash.digest('hex')}`) throw damaged(file, `wrong checksum of ${entry.fileName}`);
}

async function readEntry(zip: ZipFile, entries: readonly Entry[], name: string, file: string): Promise<string> {
  const entry = entries.find(({ fileName }) => fileName === name);
  if (!entry) throw damaged(file, `${name} is missing`);
  if (entry.uncompressedSize > MAX_JSON_BYTES) throw damaged(file, `${name} is too large`);
  return textOf(await zip.openReadStreamPromise(entry));
}

/**
 * Validates a whole bundle and unpacks its media into a temporary folder. Entries cannot choose where they are written.
 * @param source path of the file, or its bytes
 * @param file name of the file in messages
 * @throws CliError describing the problem
 */
export async function readBundle(source: string | Buffer, file: string): Promise<Bundle> {
  const options = { lazyEntries: true, autoClose: false, decodeStrings: true, validateEntrySizes: true } as const;
  let zip: ZipFile;
  try {
    zip = await new Promise<ZipFile>((resolve, reject) => {
      const done = (error: Error | null, opened: ZipFile) => (error ? reject(error) : resolve(opened));
      if (typeof source === 'string') open(source, options, done);
      else fromBuffer(source, options, done);
    });
  } catch (error) {
    throw damaged(file, (error as Error).message);
  }
  try {
    const entries = await entriesOf(zip, file);
    const described = parse(await readEntry(zip, entries, MANIFEST, file));
    const newer = newerVersion(described, BUNDLE_VERSION);
    if (newer)
      throw wrongError(newer.replace('document', 'bundle'), 'Or export it again from a server of this version.');
    const manifest = manifestSchema.safeParse(described);
    if (!manifest.success) throw damaged(file, `${MANIFEST}: ${manifest.error.issues[0]!.message}`);
    const room = await readEntry(zip, entries, ROOM, file);
    const folder = temporaryFolder();
    const files = new Map<string, string>();
    for (const entry of entries.filter(({ fileName }) => fileName.startsWith('media/'))) {
      const target = join(folder, String(files.size));
      await unpack(zip, entry, target, file);
      files.set(entry.fileName, target);
    }
    const missing = manifest.data.media.find(({ path }) => !files.has(path));
    if (missing) throw damaged(file, `${missing.path} is missing`);
    return { manifest: manifest.data, room, files };
  } catch (error) {
    throw error instanceof CliError ? error : (diskError(error) ?? damaged(file, (error as Error).message));
  } finally {
    zip.close();
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
