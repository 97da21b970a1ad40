import { LinearFilter, LinearMipmapLinearFilter, NoColorSpace, SRGBColorSpace, Texture } from 'three';
import { LoadProgress, type OnArrival } from './load-progress.ts';
import { readBody } from './read-body.ts';

export interface TextureOptions {
  /** Whether smaller copies are made for looking from afar; costs a third more memory. */
  mipmaps?: boolean;
  /** Longest side in pixels; larger pictures are made smaller on loading. */
  maxSize: number;
  /** Address of a small copy, which stands in until the picture itself has come. */
  small?: string | undefined;
  /** Rows from the top and colors as they are, for what draws them by a shader of its own. */
  asIs?: boolean;
}

/** A picture whose loading began before, rows from the top; undefined where there is none. */
export type GivenPicture = (url: string, onArrival: OnArrival) => Promise<ImageBitmap> | undefined;

interface Entry {
  promise: Promise<Texture>;
  users: number;
}

/** Geometries and materials. */
interface Part {
  dispose(): void;
}

/** The same picture drawn in two ways is two textures. */
const textureKeyOf = (url: string, { asIs }: Pick<TextureOptions, 'asIs'>) => (asIs ? `as is ${url}` : url);

/** Whether a promise was fulfilled already. */
const isSettled = (promise: Promise<unknown>): Promise<boolean> =>
  Promise.race([
    promise.then(
      () => true,
      () => false,
    ),
    new Promise<false>((resolve) => setTimeout(resolve, 0, false)),
  ]);

/** @param asIs whether its rows begin at the top, not at the bottom */
async function loadPicture(url: string, asIs: boolean, onArrival?: OnArrival): Promise<ImageBitmap> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The image could not be loaded (${response.status}).`);
  return createImageBitmap(await readBody(response, onArrival), {
    ...(!asIs && { imageOrientation: 'flipY' }),
    premultiplyAlpha: 'none',
    colorSpaceConversion: 'none',
  });
}

const scaled = async (bitmap: ImageBitmap, maxSize: number): Promise<ImageBitmap> => {
  const longest = Math.max(bitmap.width, bitmap.height);
  if (longest <= maxSize) return bitmap;
  const factor = maxSize / longest;
  const smaller = await createImageBitmap(bitmap, {
    resizeWidth: Math.round(bitmap.width * factor),
    resizeHeight: Math.round(bitmap.height * factor),
    resizeQuality: 'high',
  });
  bitmap.close();
  return smaller;
};

/**
 * Loads pictures, and makes what draws them, once however many use them; counts their users, and frees them after the
 * last.
 */
export class Resources {
  readonly #textures = new Map<string, Entry>();
  readonly #parts = new Map<string, { part: Part; users: number }>();
  readonly #given: GivenPicture;
  readonly #progress: LoadProgress;
  readonly #onSharp: () => void;
  readonly #coming = new Set<Promise<void>>();

  /**
   * @param onProgress told how much has arrived of everything that is loaded, 0 to 1
   * @param onSharp told that a picture took the place of its small copy
   */
  constructor(onProgress: (part: number) => void, onSharp: () => void, given: GivenPicture = () => undefined) {
    this.#progress = new LoadProgress(onProgress);
    this.#onSharp = onSharp;
    this.#given = given;
  }

  /** Fulfilled when no small copy stands in for a picture any more. */
  async sharp(): Promise<void> {
    while (this.#coming.size > 0) await Promise.all(this.#coming);
  }

  /** Number of textures alive. */
  get size(): number {
    return this.#textures.size;
  }

  /** Counts a load towards the progress, whatever is loaded. @param begin begins it, and says how far it has come */
  track<T>(begin: (onArrival: OnArrival) => Promise<T>): Promise<T> {
    return this.#progress.track(begin);
  }

  /**
   * A picture as a texture. Give it back with `release`.
   * @throws when the picture cannot be loaded
   */
  texture(url: string, options: TextureOptions): Promise<Texture> {
    const key = textureKeyOf(url, options);
    const known = this.#textures.get(key);
    if (known) {
      known.users++;
      return known.promise;
    }
    const promise = this.track((onArrival) => this.#load(url, options, onArrival));
    this.#textures.set(key, { promise, users: 1 });
    promise.catch(() => this.#textures.delete(key));
    return promise;
  }

  async #load(url: string, options: TextureOptions, onArrival: OnArrival): Promise<Texture> {
    const { mipmaps = true, maxSize, small, asIs = false } = options;
    const load = () => loadPicture(url, asIs, onArrival);
    const given = asIs ? this.#given(url, onArrival) : undefined;
    const loading = given?.catch(load) ?? load();
    const whole = loading.then((loaded) => scaled(loaded, maxSize));
    const isHere = given !== undefined && (await isSettled(given));
    // Whichever comes first; a copy that cannot be had is not missed.
    const copy = isHere || small === undefined ? undefined : loadPicture(small, asIs);
    const bitmap = await (copy ? Promise.any([whole, copy]).catch(() => whole) : whole);
    copy?.then(
      (late) => {
        if (late !== bitmap) late.close();
      },
      () => undefined,
    );
    const texture = new Texture(bitmap);
    texture.flipY = false;
    texture.colorSpace = asIs ? NoColorSpace : SRGBColorSpace;
    texture.generateMipmaps = mipmaps;
    texture.minFilter = mipmaps ? LinearMipmapLinearFilter : LinearFilter;
    texture.anisotropy = mipmaps ? 8 : 1;
    texture.needsUpdate = true;
    if (copy) this.#sharpen(textureKeyOf(url, options), texture, whole);
    return texture;
  }

  /** Puts a picture in the place of its small copy when it comes. */
  #sharpen(key: string, texture: Texture, whole: Promise<ImageBitmap>): void {
    const entry = this.#textures.get(key);
    const sharpened = whole
      .then((bitmap) => {
        const copy = texture.image as ImageBitmap;
        if (bitmap === copy) return;
        if (!entry || this.#textures.get(key) !== entry) {
          bitmap.close();
          return;
        }
        // A texture keeps its size on the graphics card: the next frame makes it anew.
        texture.dispose();
        copy.close();
        texture.image = bitmap;
        texture.needsUpdate = true;
        this.#onSharp();
      })
      // The small copy is better than nothing.
      .catch(() => undefined)
      .finally(() => this.#coming.delete(sharpened));
    this.#coming.add(sharpened);
  }

  /** Gives a texture back; the last one who does frees it. */
  release(url: string, options: Pick<TextureOptions, 'asIs'> = {}): void {
    this.#release(textureKeyOf(url, options));
  }

  #release(key: string): void {
    const entry = this.#textures.get(key);
    if (!entry || --entry.users > 0) return;
    this.#textures.delete(key);
    entry.promise.then(
      (texture) => {
        (texture.image as ImageBitmap).close();
        texture.dispose();
      },
      () => undefined,
    );
  }

  /**
   * A geometry or a material that elements share. Give it back with `unshare`.
   * @param key the same for the same part
   */
  share<T extends Part>(key: string, make: () => T): T {
    const entry = this.#parts.get(key) ?? { part: make(), users: 0 };
    entry.users++;
    this.#parts.set(key, entry);
    return entry.part as T;
  }

  /** Gives a shared part back; the last one who does frees it. */
  unshare(key: string): void {
    const entry = this.#parts.get(key);
    if (!entry || --entry.users > 0) return;
    this.#parts.delete(key);
    entry.part.dispose();
  }

  /** Frees everything that is still held. */
  dispose(): void {
    for (const [key, entry] of this.#textures) {
      entry.users = 1;
      this.#release(key);
    }
    for (const { part } of this.#parts.values()) part.dispose();
    this.#parts.clear();
  }
}
