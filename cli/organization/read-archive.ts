import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { open, type Entry as ZipEntry, type ZipFile } from 'yauzl';
import { CliError, diskError, wrongError } from '../failure.ts';
import { fileOnDisk } from '../io/read-file.ts';
import {
  documentSchemas,
  FORMAT,
  FORMAT_VERSION,
  isKnownPath,
  KINDS,
  type Kind,
  listPath,
  MANIFEST,
  MAX_FILES,
  MAX_JSON_BYTES,
  MAX_TOTAL_BYTES,
  type Manifest,
  manifestSchema,
  mediaPath,
  originalPath,
  SEPARATE,
} from './format.ts';
import { aboutOf, entryOf, type Json, noEntries, originalOf, sorted, type WithContents } from './snapshot.ts';

/** The files of an export, in an archive or a folder. */
interface Files {
  /** Sizes by path. */
  sizes: ReadonlyMap<string, number>;
  open(path: string): Promise<Readable>;
  close(): void;
}

/** An export with verified files. Close it after use. */
export interface Archive extends WithContents {
  manifest: Manifest;
  close(): void;
}

const STORED = 0;
const DEFLATED = 8;
/** Maximum compression ratio of a file, against zip bombs. */
const MAX_RATIO = 200;

const damaged = (file: string, reason: string): CliError =>
  wrongError(`${file} isn't a valid export of an organization.`, 'Export the organization again.', [{ file, reason }]);

/** Checks path and size of a file before anything is read. */
class Checks {
  readonly #file: string;
  readonly #sizes = new Map<string, number>();
  #bytes = 0;

  constructor(file: string) {
    this.#file = file;
  }

  add(path: string, bytes: number): void {
    if (path !== MANIFEST && !isKnownPath(path)) throw damaged(this.#file, `unexpected file "${path.slice(0, 100)}"`);
    if (this.#sizes.has(path)) throw damaged(this.#file, `duplicate file ${path}`);
    this.#bytes += bytes;
    if (this.#sizes.size > MAX_FILES || this.#bytes > MAX_TOTAL_BYTES) throw damaged(this.#file, 'too many files');
    if (path.endsWith('.json') && bytes > MAX_JSON_BYTES) throw damaged(this.#file, `${path} is too large`);
    this.#sizes.set(path, bytes);
  }

  get sizes(): ReadonlyMap<string, number> {
    return this.#sizes;
  }
}

const readEntries = (zip: ZipFile, take: (entry: ZipEntry) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    zip.on('entry', (entry: ZipEntry) => {
      try {
        take(entry);
        zip.readEntry();
      } catch (error) {
        reject(error as Error);
      }
    });
    zip.on('end', resolve);
    zip.on('error', reject);
    zip.readEntry();
  });

async function zipFiles(path: string, file: string): Promise<Files> {
  const options = { lazyEntries: true, autoClose: false, decodeStrings: true, validateEntrySizes: true } as const;
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    open(path, options, (error, opened) => (error ? reject(damaged(file, error.message)) : resolve(opened)));
  });
  const entries = new Map<string, ZipEntry>();
  const checks = new Checks(file);
  try {
    await readEntries(zip, (entry) => {
      const { fileName: name, uncompressedSize: size, compressedSize, compressionMethod: method } = entry;
      if ((method !== STORED && method !== DEFLATED) || size > compressedSize * MAX_RATIO + 10_000)
        throw damaged(file, `unsupported compression of ${name.slice(0, 100)}`);
      checks.add(name, size);
      entries.set(name, entry);
    });
  } catch (error) {
    zip.close();
    throw error instanceof CliError ? error : damaged(file, (error as Error).message);
  }
  return {
    sizes: checks.sizes,
    open: (name) => zip.openReadStreamPromise(entries.get(name)!),
    close: () => zip.close(),
  };
}

async function folderFiles(folder: string): Promise<Files> {
  const checks = new Checks(folder);
  for (const path of await readdir(folder, { recursive: true })) {
    // Links could lead out of the folder.
    const found = await lstat(join(folder, path));
    if (found.isDirectory()) continue;
    if (!found.isFile()) throw damaged(folder, `unexpected file "${path}"`);
    checks.add(path.replaceAll('\\', '/'), found.size);
  }
  return { sizes: checks.sizes, open: async (path) => createReadStream(join(folder, path)), close: () => {} };
}

/** Reads a file; its size is known to be within the limit. */
async function bytesOf(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_JSON_BYTES) throw new Error('the file is too large');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

function parse(bytes: Buffer, path: string, file: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw damaged(file, `${path} isn't JSON`);
  }
}

async function readManifest(files: Files, file: string): Promise<Manifest> {
  if (!files.sizes.has(MANIFEST)) throw damaged(file, `${MANIFEST} is missing`);
  const described = parse(await bytesOf(await files.open(MANIFEST)), MANIFEST, file) as Partial<Manifest> | null;
  const { format, version } = described ?? {};
  if (format === FORMAT && version !== FORMAT_VERSION)
    throw wrongError(
      `${file} has version ${JSON.stringify(version)?.slice(0, 20)} of the format; this program reads version ${FORMAT_VERSION}.`,
      'Use the version of Enfilade that exported it, or export it again.',
    );
  const read = manifestSchema.safeParse(described);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw damaged(file, `${MANIFEST}: ${issue!.path.join('.')}: ${issue!.message}`);
  }
  return read.data;
}

/** Compares every file with the manifest. */
async function verify(files: Files, manifest: Manifest, file: string): Promise<void> {
  const listed = new Set([MANIFEST, ...manifest.files.map(({ path }) => path)]);
  const extra = [...files.sizes.keys()].find((path) => !listed.has(path));
  if (extra !== undefined) throw damaged(file, `${extra} isn't in the manifest`);
  for (const { path, bytes, sha256 } of manifest.files) {
    if (!files.sizes.has(path)) throw damaged(file, `${path} is missing`);
    if (files.sizes.get(path) !== bytes) throw damaged(file, `${path} has the wrong size`);
    const hash = createHash('sha256');
    for await (const chunk of await files.open(path)) hash.update(chunk as Buffer);
    if (hash.digest('hex') !== sha256) throw damaged(file, `wrong checksum of ${path}`);
  }
}

class ArchiveReader {
  readonly #files: Files;
  readonly #manifest: Manifest;
  readonly #file: string;

  constructor(files: Files, manifest: Manifest, file: string) {
    this.#files = files;
    this.#manifest = manifest;
    this.#file = file;
  }

  async #json(path: string): Promise<unknown> {
    return parse(await bytesOf(await this.#files.open(path)), path, this.#file);
  }

  #check(kind: Kind, value: unknown, path: string): Json {
    const read = documentSchemas[kind].safeParse(value);
    if (read.success) return value as Json;
    const [issue] = read.error.issues;
    throw damaged(this.#file, `${path}: ${issue!.path.join('.')}: ${issue!.message}`);
  }

  async #list(kind: Kind): Promise<Json[]> {
    const path = listPath(kind);
    const list = await this.#json(path);
    if (!Array.isArray(list)) throw damaged(this.#file, `${path} isn't a list`);
    return list.map((entry, at) => this.#check(kind, entry, `${path}, entry ${at + 1}`));
  }

  async read(): Promise<Archive> {
    const { kinds, files, organization, originals } = this.#manifest;
    const included = new Set(kinds);
    const entries = noEntries();
    for (const kind of KINDS.filter((each) => included.has(each))) {
      if (!SEPARATE.has(kind))
        for (const document of await this.#list(kind)) entries[kind].push(entryOf(aboutOf(kind, document), document));
      else
        for (const { path } of files.filter((each) => each.path.startsWith(`${kind}/`))) {
          const read = async () => sorted(this.#check(kind, await this.#json(path), path));
          entries[kind].push({ ...aboutOf(kind, await read()), read });
        }
    }
    const paths = new Set(files.map(({ path }) => path));
    for (const entry of entries.media) {
      const path = mediaPath(String((await entry.read()).hash));
      if (!paths.has(path)) throw damaged(this.#file, `${path} is missing`);
      const original = originals ? originalOf(await entry.read()) : null;
      if (original && !paths.has(originalPath(original.hash)))
        throw damaged(this.#file, `${originalPath(original.hash)} is missing`);
    }
    return {
      name: `${organization}, exported ${this.#manifest.exported_at}`,
      kinds: included,
      entries,
      manifest: this.#manifest,
      hasOriginals: originals,
      content: (hash) => this.#files.open(mediaPath(hash)),
      original: (hash) => this.#files.open(originalPath(hash)),
      close: () => this.#files.close(),
    };
  }
}

/**
 * Opens an export and verifies all its files: paths, sizes, hashes and documents.
 * @throws CliError describing the problem
 */
export async function openArchive(file: string): Promise<Archive> {
  const isFolder = (await lstat(file).catch(() => null))?.isDirectory() ?? false;
  const files = isFolder ? await folderFiles(file) : await zipFiles((await fileOnDisk(file)).path, file);
  try {
    const manifest = await readManifest(files, file);
    await verify(files, manifest, file);
    return await new ArchiveReader(files, manifest, file).read();
  } catch (error) {
    files.close();
    throw error instanceof CliError ? error : (diskError(error) ?? damaged(file, (error as Error).message));
  }
}
