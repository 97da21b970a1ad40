import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ApiError } from '../../contract/errors.ts';
import type { Upload } from '../api/handler.ts';

/** Folder below the data folder for files that are arriving or being checked. */
const ARRIVING = 'arriving';
/** Milliseconds after which an unfinished upload is a leftover. */
const LEFTOVER = 60 * 60 * 1000;
const MEGABYTE = 1024 * 1024;

/** A file that has arrived but is not kept yet. */
export interface Arrival {
  /** Folder of its own: everything that is made while checking it goes here, and goes away with it. */
  folder: string;
  file: string;
  bytes: number;
  /** SHA-256 of the content, hexadecimal. */
  hash: string;
}

/** Keeps files on disk in a folder per content hash. What is kept never changes. */
export class MediaStore {
  readonly #root: string;

  /** @param dataFolder folder of all data; the store makes `media/` in it */
  constructor(dataFolder: string) {
    this.#root = resolve(dataFolder, 'media');
  }

  /** Folder in which everything of one content stands. */
  folderOf(hash: string): string {
    return join(this.#root, hash.slice(0, 2), hash);
  }

  /**
   * Writes an arriving file to disk, counting and hashing it on the way.
   * @param field the form's field that it came in, for errors
   * @param most largest file in bytes, where it is less than uploads may be
   * @throws ApiError too_large when it is cut off because it is too large, bad_file when it is empty
   */
  async receive(upload: Upload, { field = 'file', most = Infinity, mayBeEmpty = false } = {}): Promise<Arrival> {
    const folder = join(this.#root, ARRIVING, randomUUID());
    await mkdir(folder, { recursive: true });
    const file = join(folder, 'content');
    const hash = createHash('sha256');
    let bytes = 0;
    const handle = await open(file, 'wx');
    try {
      for await (const chunk of upload.stream) {
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
    await rm(folder, { recursive: true, force: true });
  }

  /**
   * Keeps a file or folder of an arrival for good, under the content's hash. Kept content stays as it is.
   * @param path what to keep, inside the arrival's folder
   * @param entry name under which it is kept
   */
  async keep(hash: string, path: string, entry: string): Promise<void> {
    const folder = this.folderOf(hash);
    await mkdir(folder, { recursive: true });
    const target = join(folder, entry);
    const exists = await stat(target).catch(() => null);
    if (!exists) await rename(path, target);
  }

  /** Removes everything of one content. */
  async remove(hash: string): Promise<void> {
    await rm(this.folderOf(hash), { recursive: true, force: true });
  }

  /** Removes what interrupted uploads left behind. */
  async sweep(now: number): Promise<void> {
    const folder = join(this.#root, ARRIVING);
    for (const name of await readdir(folder).catch(() => [])) {
      const { mtimeMs } = await stat(join(folder, name));
      if (now - mtimeMs > LEFTOVER) await rm(join(folder, name), { recursive: true, force: true });
    }
  }
}

/** SHA-256 of a file, hexadecimal. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest('hex');
}
