import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ApiError } from '../../../contract/errors.ts';
import { filesBelow, hashFile, isThere, type OpenFile, openFile, sync, syncAll } from '../disk.ts';
import { KeyedMutex } from '../keyed-mutex.ts';
import type { Bucket } from './bucket.ts';
import { checkedHead, type HeadCheck } from './checked-head.ts';
import { LIGHTER } from './copies/lighter.ts';
import { THUMBNAILS } from './copies/thumbnails.ts';
import { TILES } from './copies/tiles.ts';
import { trimCopies } from './copies/trim-copies.ts';
import type { Upload } from './upload.ts';

/** Folder of the store below the data folder. */
const FOLDER = 'media';
/** Subfolder for incoming files, and while they are checked. */
const ARRIVING = 'arriving';
/** Suffix of the marker of content that is stored but not yet recorded in the database. */
const UNNOTED = '.unnoted';
/** Folders with smaller copies and tiles inside a content folder. */
const COPIES: readonly string[] = [THUMBNAILS, TILES];
/**
 * Folder inside a content folder for the uploads it was made from, by hash. No public URL contains a name with a
 * leading dot.
 */
const ORIGINALS = '.original';
/** Milliseconds after which an unfinished upload counts as abandoned. */
const LEFTOVER = 60 * 60 * 1000;
const MEGABYTE = 1024 * 1024;

/** A stored file: its path below the data folder, and a function that opens it, unless it was just deleted. */
export interface KeptFile {
  path: string;
  open(): Promise<OpenFile | null>;
}

/** Options for receiving a file. */
interface Receiving {
  field?: string;
  /** Maximum size in bytes; a function may depend on the checked head. */
  most?: number | (() => number);
  mayBeEmpty?: boolean;
  check?: HeadCheck | undefined;
}

/** A received file that isn't stored yet. */
export interface Arrival {
  /** Its own folder, for everything created while it is checked; deleted with it. */
  folder: string;
  file: string;
  bytes: number;
  /** SHA-256 of the content, hexadecimal. */
  hash: string;
}

/** Path of an original in its content's folder. @param hash hash of the original */
export const originalPath = (hash: string): string => `${ORIGINALS}/${hash}`;

/** Key of a content's file in the bucket, and its path below the store's folder. */
const mediaKeyOf = (hash: string, path = '') => `${hash.slice(0, 2)}/${hash}/${path}`;

/** Incoming files belong to no entry yet, and copies are recreated on demand. */
const isPassing = (path: string) => path === ARRIVING || COPIES.includes(basename(path));

/** The folders of single contents. */
async function* foldersOf(root: string): AsyncGenerator<string> {
  for (const shelf of await readdir(root).catch(() => [])) {
    if (shelf === ARRIVING) continue;
    for (const hash of await readdir(join(root, shelf)).catch(() => [])) yield join(root, shelf, hash);
  }
}

/**
 * Stores files on disk in a folder per content hash. Stored content is immutable. With a bucket, files are stored
 * there, and the disk caches those that this machine has used.
 */
export class MediaStore {
  readonly #root: string;
  /** Storage shared by several servers; null if there is none. */
  readonly bucket: Bucket | null;
  /** Serializes storing and deleting by content hash. */
  readonly #turns = new KeyedMutex();
  /** Downloads from the bucket in progress, by target path: none runs twice. */
  readonly #coming = new Map<string, Promise<void>>();

  /**
   * @param dataFolder folder of all data; the store creates `media/` in it
   * @param bucket storage shared by several servers
   */
  constructor(dataFolder: string, bucket: Bucket | null = null) {
    this.#root = resolve(dataFolder, FOLDER);
    this.bucket = bucket;
  }

  /** Local folder of a content. */
  folderOf(hash: string): string {
    return join(this.#root, hash.slice(0, 2), hash);
  }

  /** Whether no download is needed before using a file: it is stored locally, or there is no bucket. */
  async isAtHand(hash: string, path: string): Promise<boolean> {
    return !this.bucket || isThere(join(this.folderOf(hash), path));
  }

  /**
   * Local path of a stored file, downloaded if necessary.
   * @param path path of the file in its content's folder
   * @returns a path that doesn't exist if the file isn't stored
   * @throws ApiError unavailable if the bucket doesn't respond
   */
  async fileOf(hash: string, path: string): Promise<string> {
    const file = join(this.folderOf(hash), path);
    if (await this.isAtHand(hash, path)) return file;
    const coming = this.#coming.get(file) ?? this.#fetch(mediaKeyOf(hash, path), file);
    this.#coming.set(file, coming);
    await coming.finally(() => this.#coming.delete(file));
    return file;
  }

  /**
   * Local path of a stored file or whole folder, downloaded if necessary.
   * @returns a path that doesn't exist if it isn't stored
   */
  async entryOf(hash: string, entry: string): Promise<string> {
    const keys = this.bucket?.list(mediaKeyOf(hash, `${entry}/`)) ?? [];
    for await (const { key } of keys) await this.fileOf(hash, key.slice(mediaKeyOf(hash).length));
    return this.fileOf(hash, entry);
  }

  async #fetch(key: string, file: string): Promise<void> {
    const content = await this.bucket!.get(key);
    if (!content) return;
    const draft = join(this.#root, ARRIVING, randomUUID());
    try {
      await mkdir(dirname(draft), { recursive: true });
      await pipeline(content, createWriteStream(draft, { flags: 'wx' }));
      await mkdir(dirname(file), { recursive: true });
      await rename(draft, file);
    } finally {
      await rm(draft, { force: true });
    }
  }

  async #send(key: string, path: string): Promise<void> {
    const found = await stat(path);
    if (!found.isDirectory()) return this.bucket!.put(key, path, await hashFile(path));
    for (const name of await readdir(path)) await this.#send(`${key}/${name}`, join(path, name));
  }

  /**
   * Writes an incoming file to disk, counting and hashing it.
   * @param field form field of the file, for errors
   * @param most maximum size in bytes, if lower than the upload limit
   * @param check checks the first bytes before anything is written; throws if the file is unwanted
   * @throws ApiError too_large if it exceeds the limit, bad_file if it is empty
   */
  async receive(upload: Upload, options: Receiving = {}): Promise<Arrival> {
    const { field = 'file', most = Infinity, mayBeEmpty = false, check } = options;
    const limit = typeof most === 'function' ? most : () => most;
    const chunks = check ? checkedHead(upload.stream, check) : upload.stream;
    const folder = join(this.#root, ARRIVING, randomUUID());
    await mkdir(folder, { recursive: true });
    const file = join(folder, 'content');
    const hash = createHash('sha256');
    let bytes = 0;
    const handle = await open(file, 'wx');
    try {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        if (bytes > limit())
          throw new ApiError('too_large', { [field]: [`Use a file of at most ${limit() / MEGABYTE} MB, or several.`] });
        // A truncated part would go on until the whole request has arrived.
        if (upload.truncated()) break;
        hash.update(chunk);
        await handle.write(chunk);
      }
      if (upload.truncated())
        throw new ApiError('too_large', { [field]: ['The file is larger than the upload limit.'] });
      if (bytes === 0 && !mayBeEmpty) throw new ApiError('bad_file', { [field]: ['The file is empty.'] });
      await handle.sync();
    } catch (error) {
      await handle.close();
      await rm(folder, { recursive: true, force: true });
      // Disk errors have a system call; others come from the upload, which was cut off or damaged.
      if (error instanceof ApiError || (error as NodeJS.ErrnoException).syscall) throw error;
      throw new ApiError('bad_request', { [field]: ['The upload was interrupted. Send the file again.'] });
    }
    await handle.close();
    return { folder, file, bytes, hash: hash.digest('hex') };
  }

  /** A new folder for files that are made on this server. @returns its path; delete it with `discard` */
  async draft(): Promise<string> {
    const folder = join(this.#root, ARRIVING, randomUUID());
    await mkdir(folder, { recursive: true });
    return folder;
  }

  /** Deletes an incoming file. */
  async discard({ folder }: Pick<Arrival, 'folder'>): Promise<void> {
    // A terminated worker may write its last file a moment later.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /**
   * Stores a file or folder under its content hash, and records its owner. Existing content stays as it is, but lighter
   * versions are replaced. A concurrent deletion of the same content happens entirely before or after.
   * @param path what to store, inside the arrival's folder
   * @param entry name under which it is stored
   * @param note records it in the database; its result is returned
   * @param original the upload that the content was made from, if it is another file
   */
  keep<T>(
    hash: string,
    path: string,
    entry: string,
    note: () => Promise<T>,
    original?: { hash: string; path: string },
  ): Promise<T> {
    return this.#turns.runExclusive(hash, async () => {
      const mark = join(this.#root, ARRIVING, `${hash}${UNNOTED}`);
      await writeFile(mark, '');
      await this.#put(hash, path, entry);
      if (original) await this.#put(hash, original.path, originalPath(original.hash));
      const noted = await note();
      await rm(mark, { force: true });
      return noted;
    });
  }

  async #put(hash: string, path: string, entry: string): Promise<void> {
    const folder = this.folderOf(hash);
    const target = join(folder, entry);
    await mkdir(dirname(target), { recursive: true });
    if (!entry.startsWith(`${LIGHTER}/`) && (await isThere(target))) return;
    // Uploaded before anyone can learn of it.
    if (this.bucket) await this.#send(mediaKeyOf(hash, entry), path);
    // Flushed before the caller commits: a row must never refer to a file that a crash could lose.
    await syncAll(path);
    await rename(path, target);
    for (const each of new Set([dirname(target), folder, dirname(folder), this.#root])) await sync(each);
  }

  /**
   * Replaces a stored file atomically; its URLs stay the same.
   * @param path path of the new file, on the same disk
   * @param original the uploaded file, stored next to it unchanged
   */
  replace(hash: string, entry: string, path: string, original?: { hash: string; file: string }): Promise<void> {
    return this.#turns.runExclusive(hash, async () => {
      if (original) await this.#put(hash, original.file, originalPath(original.hash));
      if (this.bucket) await this.#send(mediaKeyOf(hash, entry), path);
      await syncAll(path);
      const target = join(this.folderOf(hash), entry);
      await rename(path, target);
      await sync(dirname(target));
    });
  }

  /** Uploads a file created in a content's folder to the bucket. */
  async share(hash: string, entry: string): Promise<void> {
    if (this.bucket) await this.#send(mediaKeyOf(hash, entry), join(this.folderOf(hash), entry));
  }

  /**
   * Deletes a content, or its unneeded originals. Other servers evict their copies when they need the space.
   * @param needed hashes of the originals to retain; null if the content is unused
   */
  remove(hash: string, needed: () => Promise<ReadonlySet<string> | null>): Promise<void> {
    return this.#turns.runExclusive(hash, async () => {
      const originals = await needed();
      if (!originals) await rm(this.folderOf(hash), { recursive: true, force: true });
      const isKept = (name: string) => originals?.has(basename(name)) === true;
      const folder = join(this.folderOf(hash), ORIGINALS);
      for (const name of await readdir(folder).catch(() => [])) if (!isKept(name)) await rm(join(folder, name));
      for await (const { key } of this.bucket?.list(mediaKeyOf(hash, originals ? `${ORIGINALS}/` : '')) ?? [])
        if (!isKept(key)) await this.bucket!.remove(key);
    });
  }

  /**
   * Deletes contents after the rows that refer to them. If the process ends in between, `sweep` deletes them.
   * @param forget deletes the rows
   * @param needed originals to retain, as for `remove`
   */
  async removeAfter(
    hashes: readonly string[],
    forget: () => Promise<void>,
    needed: (hash: string) => Promise<ReadonlySet<string> | null>,
  ): Promise<void> {
    const marks = new Map(hashes.map((hash) => [hash, join(this.#root, ARRIVING, `${hash}${UNNOTED}`)]));
    if (marks.size > 0) await mkdir(join(this.#root, ARRIVING), { recursive: true });
    for (const mark of marks.values()) await writeFile(mark, '');
    await forget();
    for (const [hash, mark] of marks) {
      await this.remove(hash, () => needed(hash));
      await rm(mark, { force: true });
    }
  }

  /** All stored files, sorted by name. */
  async *files(): AsyncGenerator<KeptFile> {
    const bucket = this.bucket;
    if (bucket) {
      for await (const { key, bytes } of bucket.list(''))
        yield {
          path: `${FOLDER}/${key}`,
          open: async () => {
            const content = await bucket.get(key);
            return content && { bytes, content };
          },
        };
      return;
    }
    for await (const path of filesBelow(this.#root, isPassing))
      yield { path: `${FOLDER}/${path}`, open: () => openFile(join(this.#root, path)) };
  }

  /**
   * Stores a file from another store atomically.
   * @param path as listed by `files`
   * @returns whether it is a new file on this disk
   */
  async place(path: string, content: Readable): Promise<boolean> {
    const key = path.slice(FOLDER.length + 1);
    const draft = join(this.#root, ARRIVING, randomUUID());
    try {
      await mkdir(dirname(draft), { recursive: true });
      await pipeline(content, createWriteStream(draft, { flags: 'wx' }));
      if (this.bucket) {
        await this.#send(key, draft);
        return false;
      }
      const file = join(this.#root, key);
      const isNew = !(await stat(file).catch(() => null));
      await mkdir(dirname(file), { recursive: true });
      await rename(draft, file);
      return isNew;
    } finally {
      await rm(draft, { force: true });
    }
  }

  /** Removes a new file that `place` stored, and the folders that it leaves empty. */
  async removePlaced(path: string): Promise<void> {
    const file = join(this.#root, path.slice(FOLDER.length + 1));
    await rm(file, { force: true });
    for (let folder = dirname(file); folder !== this.#root; folder = dirname(folder))
      await rmdir(folder).catch(() => {});
  }

  /**
   * Evicts local copies if there is a bucket, which has everything.
   * @param most maximum bytes of copies
   */
  async trim(most: number): Promise<void> {
    if (this.bucket) await trimCopies(foldersOf(this.#root), most);
  }

  /**
   * Deletes what interrupted uploads left behind.
   * @param needed originals to retain, as for `remove`
   */
  async sweep(now: number, needed: (hash: string) => Promise<ReadonlySet<string> | null>): Promise<void> {
    const folder = join(this.#root, ARRIVING);
    for (const name of await readdir(folder).catch(() => [])) {
      const left = join(folder, name);
      const found = await stat(left).catch(() => null);
      if (!found || now - found.mtimeMs <= LEFTOVER) continue;
      // Stored, but the server was killed before it was recorded. Content without a marker is never checked.
      if (name.endsWith(UNNOTED)) {
        const hash = name.slice(0, -UNNOTED.length);
        await this.remove(hash, () => needed(hash));
      }
      await rm(left, { recursive: true, force: true });
    }
  }
}
