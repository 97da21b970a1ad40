import { readFile, stat } from 'node:fs/promises';
import { smallPicture } from '../../core/files/copies/thumbnails.ts';
import { readMediaUrl } from '../../core/files/media-url.ts';
import type { Services } from '../../core/services.ts';

/** What a page carries of a picture: width in pixels, quality, pixels over which it is blurred, and the most bytes. */
interface PageCopy {
  width: number;
  quality: number;
  blur?: number;
  mostBytes: number;
}

/** Of a panorama, which is looked at closely: some thousand bytes. */
export const PAGE_COPY: PageCopy = { width: 384, quality: 45, mostBytes: 24_000 };
/**
 * Of what stands blurred behind the entrance: at most 4 kB as a data URI. It comes blurred: a filter over the whole page
 * takes a device without a graphics card a second.
 */
export const POSTER_COPY: PageCopy = { width: 64, quality: 70, blur: 1.6, mostBytes: 2900 };
/** How many copies are kept in memory. */
const MAX_CACHED = 500;

interface StoredPicture {
  hash: string;
  entry: string;
}
/** Gives where a picture stands; null for none, which is not asked again. It throws where one may come yet. */
type FindPicture = (url: string) => Promise<StoredPicture | null> | StoredPicture | null;

/** Small copies of pictures that travel within a page, so that it shows something before anything else is loaded. */
export class Previews {
  readonly #services: Pick<Services, 'media' | 'workers'>;
  readonly #copy: PageCopy;
  readonly #find: FindPicture;
  /** By address, the one asked for last at the end. */
  readonly #kept = new Map<string, Promise<string | null>>();

  /** @param find where the picture at an address stands; those of the media library when left out */
  constructor(services: Pick<Services, 'media' | 'workers'>, copy: PageCopy, find: FindPicture = readMediaUrl) {
    this.#services = services;
    this.#copy = copy;
    this.#find = find;
  }

  /**
   * @param url address of a stored picture
   * @returns the copy as a data URI; null where none can be made
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
