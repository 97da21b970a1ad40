import { readFile, stat } from 'node:fs/promises';
import { smallPicture } from '../../core/files/copies/thumbnails.ts';
import { readMediaUrl } from '../../core/files/media-url.ts';
import type { Services } from '../../core/services.ts';

/** Inlined copy of an image: width in pixels, quality, blur radius in pixels, and maximum bytes. */
interface PageCopy {
  width: number;
  quality: number;
  blur?: number;
  mostBytes: number;
}

/** Copy of a panorama, which is viewed closely: a few thousand bytes. */
export const PAGE_COPY: PageCopy = { width: 384, quality: 45, mostBytes: 24_000 };
/**
 * Copy for the blurred background of the entrance: at most 4 kB as a data URI. It is blurred in advance: a CSS filter
 * over the whole page takes a second on a device without a GPU.
 */
export const POSTER_COPY: PageCopy = { width: 64, quality: 70, blur: 1.6, mostBytes: 2900 };
/** Maximum number of cached copies. */
const MAX_CACHED = 500;

interface StoredPicture {
  hash: string;
  entry: string;
}
/** Locates an image; null for none, which is cached. Throws if it may still appear. */
type FindPicture = (url: string) => Promise<StoredPicture | null> | StoredPicture | null;

/** Small copies of images inlined in a page, visible before anything else has loaded. */
export class Previews {
  readonly #services: Pick<Services, 'media' | 'workers'>;
  readonly #copy: PageCopy;
  readonly #find: FindPicture;
  /** By URL, most recently used last. */
  readonly #kept = new Map<string, Promise<string | null>>();

  /** @param find locates the image of a URL; defaults to the media library */
  constructor(services: Pick<Services, 'media' | 'workers'>, copy: PageCopy, find: FindPicture = readMediaUrl) {
    this.#services = services;
    this.#copy = copy;
    this.#find = find;
  }

  /**
   * @param url URL of a stored image
   * @returns the copy as a data URI; null if it can't be created
   */
  of(url: string): Promise<string | null> {
    const preview = this.#kept.get(url) ?? this.#tryToMake(url);
    this.#kept.delete(url);
    this.#kept.set(url, preview);
    if (this.#kept.size > MAX_CACHED) this.#kept.delete(this.#kept.keys().next().value!);
    return preview;
  }

  async #tryToMake(url: string): Promise<string | null> {
    try {
      return await this.#make(url);
    } catch {
      this.#kept.delete(url);
      return null;
    }
  }

  async #make(url: string): Promise<string | null> {
    const stored = await this.#find(url);
    if (!stored) return null;
    const { media, workers } = this.#services;
    await media.fileOf(stored.hash, stored.entry);
    const copy = await smallPicture(workers, media.folderOf(stored.hash), stored.entry, this.#copy);
    if ((await stat(copy)).size > this.#copy.mostBytes) return null;
    return `data:image/webp;base64,${(await readFile(copy)).toString('base64')}`;
  }
}
