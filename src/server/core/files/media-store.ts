import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ApiError } from '../../../contract/errors.ts';
import { filesBelow, hashFile, isThere, type OpenFile, openFile, sync, syncAll } from '../disk.ts';
import { KeyedMutex } from '../keyed-mutex.ts';
import type { Bucket } from './bucket.ts';
import { checkedHead, type HeadCheck } from './checked-head.ts';
import { THUMBNAILS } from './copies/thumbnails.ts';
import { TILES } from './copies/tiles.ts';
import { trimCopies } from './copies/trim-copies.ts';
import type { Upload } from './upload.ts';

/** Folder of the store below the data folder. */
const FOLDER = 'media';
/** Folder below that for files that are arriving or being checked. */
const ARRIVING = 'arriving';
/** What the mark of a content ends with that is being kept and has not been noted yet. */
const UNNOTED = '.unnoted';
/** Folders of a content in which smaller copies and parts of it stand. */
const COPIES: readonly string[] = [THUMBNAILS, TILES];
/** Folder of a content for uploads it was made from, by their hash. No public URL contains a name with a dot in front. */
const ORIGINALS = '.original';
/** Milliseconds after which an unfinished upload is a leftover. */
const LEFTOVER = 60 * 60 * 1000;
const MEGABYTE = 1024 * 1024;

/** A file that is kept: its path below the data folder, and a way to read it, unless somebody removed it a moment ago. */
export interface KeptFile {
  path: string;
  open(): Promise<OpenFile | null>;
}

/** How a file is received. */
interface Receiving {
  field?: string;
  most?: number;
  mayBeEmpty?: boolean;
  check?: HeadCheck | undefined;
}

/** A file that has arrived but is not kept yet. */
export interface Arrival {
  /** Folder of its own: everything that is made while checking it goes here, and goes away with it. */
  folder: string;
  file: string;
  bytes: number;
  /** SHA-256 of the content, hexadecimal. */
  hash: string;
}

/** Path of an original in its content's folder. @param hash of the original */
export const originalPath = (hash: string): string => `${ORIGINALS}/${hash}`;

/** Name of a content's file in the bucket, and its path below the store's folder. */
const mediaKeyOf = (hash: string, path = '') => `${hash.slice(0, 2)}/${hash}/${path}`;

/** What is arriving belongs to no entry yet, and copies are made again when they are asked for. */
const isPassing = (path: string) => path === ARRIVING || COPIES.includes(basename(path));

/** The folders of single contents. */
async function* foldersOf(root: string): AsyncGenerator<string> {
  for (const shelf of await readdir(root).catch(() => [])) {
    if (shelf === ARRIVING) continue;
    for (const hash of await readdir(join(root, shelf)).catch(() => [])) yield join(root, shelf, hash);
  }
}

/**
 * Keeps files on disk in a folder per content hash. What is kept never changes. With a bucket, files are kept there, and the
 * disk holds copies of those that this machine has used.
 */
export class MediaStore {
  readonly #root: string;
  /** Where files are kept that several servers share; null where there is none. */
  readonly bucket: Bucket | null;
  /** By hash: whoever keeps or removes a content. */
  readonly #turns = new KeyedMutex();
  /** Files that are on their way from the bucket, by where they go: none is fetched twice. */
  readonly #coming = new Map<string, Promise<void>>();

  /**
   * @param dataFolder folder of all data; the store makes `media/` in it
   * @param bucket where files are kept that several servers share
   */
  constructor(dataFolder: string, bucket: Bucket | null = null) {
    this.#root = resolve(dataFolder, FOLDER);
    this.bucket = bucket;
  }

  /** Folder of this machine in which stands what it has of one content. */
  folderOf(hash: string): string {
    return join(this.#root, hash.slice(0, 2), hash);
  }

  /** Whether there is nothing to bring to this machine before a file is used: it is here, or would be nowhere else. */
  async isAtHand(hash: string, path: string): Promise<boolean> {
    return !this.bucket || isThere(join(this.folderOf(hash), path));
  }

  /**
   * A kept file, brought to this machine where it is not here yet.
   * @param path of the file in its content's folder
   * @returns where it stands; that of a file which is not stored leads nowhere
   * @throws ApiError unavailable when the bucket does not answer
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
   * A kept file, or a folder of files, brought to this machine as a whole.
   * @returns where it stands; that of one which is not stored leads nowhere
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
   * Writes an arriving file to disk, counting and hashing it on the way.
   * @param field the form's field that it came in, for errors
   * @param most largest file in bytes, where it is less than uploads may be
   * @param check looks at the first bytes before anything is written, and throws where the file is not wanted
   * @throws ApiError too_large when it is cut off because it is too large, bad_file when it is empty
   */
  async receive(upload: Upload, options: Receiving = {}): Promise<Arrival> {
    const { field = 'file', most = Infinity, mayBeEmpty = false, check } = options;
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
        // The rest is read all the same, and forgotten: an answer before its end would not arrive.
        if (bytes > most) continue;
        hash.update(chunk);
        await handle.write(chunk);
      }
      if (bytes > most)
        throw new ApiError('too_large', { [field]: [`Use a file of at most ${most / MEGABYTE} MB, or several.`] });
      if (upload.truncated()) throw new ApiError('too_large', { [field]: ['The file is larger than uploads may be.'] });
      if (bytes === 0 && !mayBeEmpty) throw new ApiError('bad_file', { [field]: ['The file is empty.'] });
      await handle.sync();
    } catch (error) {
      await handle.close();
      await rm(folder, { recursive: true, force: true });
      // What the disk says has a system call; anything else came with the upload, which was cut off or damaged.
      if (error instanceof ApiError || (error as NodeJS.ErrnoException).syscall) throw error;
      throw new ApiError('bad_request', { [field]: ['The upload was cut off. Send the file again.'] });
    }
    await handle.close();
    return { folder, file, bytes, hash: hash.digest('hex') };
  }

  /** Forgets an arrival. */
  async discard({ folder }: Arrival): Promise<void> {
    // A worker that was stopped may write its last file a moment later.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /**
   * Keeps a file or folder of an arrival for good, under the content's hash, and has it noted to whom it belongs. Kept
   * content stays as it is. Whoever removes the same content meanwhile does so before it is kept, or after it is noted.
   * @param path what to keep, inside the arrival's folder
   * @param entry name under which it is kept
   * @param note notes it; gives what this gives
   * @param original the upload that the content was made from, where it is another file
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
    if (await isThere(target)) return;
    // Once others may be told of it, all of it is where they look.
    if (this.bucket) await this.#send(mediaKeyOf(hash, entry), path);
    // A row that names the file must not outlive it: the disk has content and names before the caller goes on.
    await syncAll(path);
    await rename(path, target);
    for (const each of new Set([dirname(target), folder, dirname(folder), this.#root])) await sync(each);
  }

  /**
   * Puts another file in the place of a stored one, whose addresses stay. Others see the one or the other, whole.
   * @param path of the new file, on the same disk
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

  /** Lets other servers have a file that was made in a content's folder. */
  async share(hash: string, entry: string): Promise<void> {
    if (this.bucket) await this.#send(mediaKeyOf(hash, entry), join(this.folderOf(hash), entry));
  }

  /**
   * Removes everything of one content, or the originals that nobody needs any more. Other servers evict their copies when
   * they need the space.
   * @param needed hashes of the originals that stay with the content; null when nobody has the content noted
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

  /** Every kept file, in the order of its name. */
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
   * Keeps a file that was kept elsewhere, whole or not at all.
   * @param path as `files` told it there
   */
  async place(path: string, content: Readable): Promise<void> {
    const key = path.slice(FOLDER.length + 1);
    const draft = join(this.#root, ARRIVING, randomUUID());
    try {
      await mkdir(dirname(draft), { recursive: true });
      await pipeline(content, createWriteStream(draft, { flags: 'wx' }));
      if (this.bucket) return await this.#send(key, draft);
      const file = join(this.#root, key);
      await mkdir(dirname(file), { recursive: true });
      await rename(draft, file);
    } finally {
      await rm(draft, { force: true });
    }
  }

  /**
   * Makes room on this machine, where the bucket has everything.
   * @param most bytes that copies may take
   */
  async trim(most: number): Promise<void> {
    if (this.bucket) await trimCopies(foldersOf(this.#root), most);
  }

  /**
   * Removes what interrupted uploads left behind.
   * @param needed what of a content somebody has noted, as for `remove`
   */
  async sweep(now: number, needed: (hash: string) => Promise<ReadonlySet<string> | null>): Promise<void> {
    const folder = join(this.#root, ARRIVING);
    for (const name of await readdir(folder).catch(() => [])) {
      const left = join(folder, name);
      const found = await stat(left).catch(() => null);
      if (!found || now - found.mtimeMs <= LEFTOVER) continue;
      // Kept, but the server was killed before it was noted. What was never marked so is never looked at.
      if (name.endsWith(UNNOTED)) {
        const hash = name.slice(0, -UNNOTED.length);
        await this.remove(hash, () => needed(hash));
      }
      await rm(left, { recursive: true, force: true });
    }
  }
}
