import { ImageBitmapLoader, LinearFilter, LinearMipmapLinearFilter, SRGBColorSpace, Texture } from 'three';

/** How much of what the room asked for has arrived. */
export interface Progress {
  loaded: number;
  total: number;
}

export interface TextureOptions {
  /** Whether smaller copies are made for looking from afar; costs a third more memory. */
  mipmaps?: boolean;
  /** Longest side in pixels; larger pictures are made smaller on loading. */
  maxSize: number;
  /** Address of a small copy, which stands in until the picture itself has come. */
  small?: string | undefined;
}

interface Entry {
  promise: Promise<Texture>;
  users: number;
}

/** Geometries and materials. */
interface Part {
  dispose(): void;
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
  readonly #loader = new ImageBitmapLoader().setOptions({ imageOrientation: 'flipY', premultiplyAlpha: 'none' });
  readonly #onProgress: (progress: Progress) => void;
  readonly #onSharp: () => void;
  readonly #coming = new Set<Promise<void>>();
  #loaded = 0;
  #total = 0;

  /** @param onSharp told that a picture took the place of its small copy */
  constructor(onProgress: (progress: Progress) => void, onSharp: () => void) {
    this.#onProgress = onProgress;
    this.#onSharp = onSharp;
  }

  /** Fulfilled when no small copy stands in for a picture any more. */
  async sharp(): Promise<void> {
    while (this.#coming.size > 0) await Promise.all(this.#coming);
  }

  /** Number of textures alive. */
  get size(): number {
    return this.#textures.size;
  }

  /** Counts a load towards the progress, whatever is loaded. */
  async track<T>(work: Promise<T>): Promise<T> {
    this.#total++;
    this.#report();
    try {
      return await work;
    } finally {
      this.#loaded++;
      this.#report();
    }
  }

  #report(): void {
    this.#onProgress({ loaded: this.#loaded, total: this.#total });
  }

  /**
   * A picture as a texture. Give it back with `release`.
   * @throws when the picture can't be loaded
   */
  texture(url: string, options: TextureOptions): Promise<Texture> {
    const known = this.#textures.get(url);
    if (known) {
      known.users++;
      return known.promise;
    }
    const promise = this.track(this.#load(url, options));
    this.#textures.set(url, { promise, users: 1 });
    promise.catch(() => this.#textures.delete(url));
    return promise;
  }

  async #load(url: string, { mipmaps = true, maxSize, small }: TextureOptions): Promise<Texture> {
    const whole = this.#loader.loadAsync(url).then((loaded) => scaled(loaded, maxSize));
    // Whichever comes first; a copy that can't be had is not missed.
    const copy = small === undefined ? undefined : this.#loader.loadAsync(small);
    const bitmap = await (copy ? Promise.any([whole, copy]).catch(() => whole) : whole);
    copy?.then(
      (late) => {
        if (late !== bitmap) late.close();
      },
      () => undefined,
    );
    const texture = new Texture(bitmap);
    texture.flipY = false;
    texture.colorSpace = SRGBColorSpace;
    texture.generateMipmaps = mipmaps;
    texture.minFilter = mipmaps ? LinearMipmapLinearFilter : LinearFilter;
    texture.anisotropy = mipmaps ? 8 : 1;
    texture.needsUpdate = true;
    if (small) this.#sharpen(url, texture, whole);
    return texture;
  }

  /** Puts a picture in the place of its small copy when it comes. */
  #sharpen(url: string, texture: Texture, whole: Promise<ImageBitmap>): void {
    const entry = this.#textures.get(url);
    const sharpened = whole
      .then((bitmap) => {
        const copy = texture.image as ImageBitmap;
        if (bitmap === copy) return;
        if (!entry || this.#textures.get(url) !== entry) {
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
  release(url: string): void {
    const entry = this.#textures.get(url);
    if (!entry || --entry.users > 0) return;
    this.#textures.delete(url);
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
    for (const [url, entry] of this.#textures) {
      entry.users = 1;
      this.release(url);
    }
    for (const { part } of this.#parts.values()) part.dispose();
    this.#parts.clear();
  }
}
