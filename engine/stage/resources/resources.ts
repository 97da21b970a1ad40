import {
  LinearFilter,
  LinearMipmapLinearFilter,
  NoColorSpace,
  RepeatWrapping,
  SRGBColorSpace,
  Texture,
  type WebGLRenderer,
} from 'three';
import { budget } from './device.ts';
import { LoadProgress, type OnArrival } from './load-progress.ts';
import { readBody } from './read-body.ts';

export interface TextureOptions {
  /** Whether to generate mipmaps, which need a third more memory. */
  mipmaps?: boolean;
  /** Maximum side in pixels; larger images are downscaled. */
  maxSize: number;
  /** URL of a small copy, shown until the full image is loaded. */
  small?: string | undefined;
  /** Top-down rows and unconverted colors, for custom shaders. */
  asIs?: boolean;
  /** Whether it is the whole image of a panorama, which tiles sharpen. */
  isTiled?: boolean;
  /** Whether the image's left and right edges meet. */
  wraps?: boolean;
  /** Whether to upload it over several frames before it is used; for images with `asIs` and without mipmaps. */
  gradual?: boolean;
}

/** An image that is already loading, with top-down rows; undefined if there is none. */
export type GivenPicture = (url: string, onArrival: OnArrival) => Promise<ImageBitmap> | undefined;

interface Entry {
  promise: Promise<Texture>;
  users: number;
  /** Loads the image again. */
  reload(): Promise<ImageBitmap>;
}

/** Closes a texture's bitmap, keeping its dimensions. */
function closePicture(texture: Texture): void {
  const { image } = texture;
  if (!(image instanceof ImageBitmap)) return;
  texture.image = { width: image.width, height: image.height };
  image.close();
}

/** A geometry or material. */
interface Part {
  dispose(): void;
}

/** The same image in two formats is two textures. */
const textureKeyOf = (url: string, { asIs }: Pick<TextureOptions, 'asIs'>) => (asIs ? `as is ${url}` : url);

/** Whether a promise is already settled. */
const isSettled = (promise: Promise<unknown>): Promise<boolean> =>
  Promise.race([
    promise.then(
      () => true,
      () => false,
    ),
    new Promise<false>((resolve) => setTimeout(resolve, 0, false)),
  ]);

/** Formats in which the server may send an image. Only secure pages can ask the browser about AVIF. */
async function findFormats(): Promise<string> {
  const hasAvif = globalThis.ImageDecoder && (await ImageDecoder.isTypeSupported('image/avif').catch(() => false));
  return hasAvif ? 'image/avif, image/webp, */*' : 'image/webp, */*';
}
let formats: Promise<string> | undefined;

/**
 * Requests an image. All but panoramas are requested with the same formats, so that browsers cache one of them.
 * @param asIs whether it is a panorama, whose request has to equal that of its preload
 * @throws if it can't be loaded
 */
export async function requestPicture(url: string, asIs = false): Promise<Response> {
  formats ??= findFormats();
  const response = await (asIs ? fetch(url) : fetch(url, { headers: { accept: await formats } }));
  if (!response.ok) throw new Error(`The image could not be loaded (${response.status}).`);
  return response;
}

/** Loads and decodes an image. @param asIs whether rows are top-down instead of bottom-up */
export async function loadPicture(url: string, asIs: boolean, onArrival?: OnArrival): Promise<ImageBitmap> {
  const response = await requestPicture(url, asIs);
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

/** Loads and caches textures, geometries and materials with reference counting. */
export class Resources {
  readonly #textures = new Map<string, Entry>();
  readonly #parts = new Map<string, { part: Part; users: number }>();
  readonly #given: GivenPicture;
  readonly #renderer: WebGLRenderer;
  readonly #progress: LoadProgress;
  readonly #onSharp: () => void;
  readonly #coming = new Set<Promise<void>>();

  /**
   * @param onProgress called with the loaded fraction of everything, 0 to 1
   * @param onSharp called when an image replaces its small copy
   */
  constructor(
    renderer: WebGLRenderer,
    onProgress: (part: number) => void,
    onSharp: () => void,
    given: GivenPicture = () => undefined,
  ) {
    this.#renderer = renderer;
    this.#progress = new LoadProgress(onProgress);
    this.#onSharp = onSharp;
    this.#given = given;
  }

  /** Resolves when all small copies have been replaced. */
  async sharp(): Promise<void> {
    while (this.#coming.size > 0) await Promise.all(this.#coming);
  }

  /** Delays `sharp` until a promise is settled. It must not reject. */
  wait(promise: Promise<void>): void {
    this.#coming.add(promise);
    void promise.then(() => this.#coming.delete(promise));
  }

  /** Number of loaded textures. */
  get size(): number {
    return this.#textures.size;
  }

  /** Adds any load to the progress. @param begin starts it and reports its progress */
  track<T>(begin: (onArrival: OnArrival) => Promise<T>): Promise<T> {
    return this.#progress.track(begin);
  }

  /**
   * Loads an image as a texture; call `release` afterwards.
   * @throws if the image can't be loaded
   */
  texture(url: string, options: TextureOptions): Promise<Texture> {
    const key = textureKeyOf(url, options);
    const known = this.#textures.get(key);
    if (known) {
      known.users++;
      return known.promise;
    }
    const promise = this.track((onArrival) => this.#load(url, options, onArrival));
    // The budget may have been lowered since.
    const side = () => {
      const { panoramaWidth, untiledWidth } = budget();
      const { asIs, isTiled, maxSize } = options;
      return asIs ? Math.min(maxSize, isTiled ? panoramaWidth : untiledWidth) : maxSize;
    };
    const reload = async () => scaled(await loadPicture(url, options.asIs === true), side());
    this.#textures.set(key, { promise, users: 1, reload });
    promise.catch(() => this.#textures.delete(key));
    return promise;
  }

  async #load(url: string, options: TextureOptions, onArrival: OnArrival): Promise<Texture> {
    const { mipmaps = true, maxSize, small, asIs = false, wraps, gradual } = options;
    const load = () => loadPicture(url, asIs, onArrival);
    const given = asIs ? this.#given(url, onArrival) : undefined;
    const loading = given?.catch(load) ?? load();
    const whole = loading.then((loaded) => scaled(loaded, maxSize));
    const isHere = given !== undefined && (await isSettled(given));
    // Whichever loads first; a missing copy is ignored.
    const copy = isHere || small === undefined ? undefined : loadPicture(small, asIs);
    const bitmap = await (copy ? Promise.any([whole, copy]).catch(() => whole) : whole);
    copy?.then(
      (late) => {
        if (late !== bitmap) late.close();
      },
      () => undefined,
    );
    const texture = new Texture(bitmap);
    if (wraps) texture.wrapS = RepeatWrapping;
    texture.flipY = false;
    texture.colorSpace = asIs ? NoColorSpace : SRGBColorSpace;
    texture.generateMipmaps = mipmaps;
    texture.minFilter = mipmaps ? LinearMipmapLinearFilter : LinearFilter;
    texture.anisotropy = mipmaps ? 8 : 1;
    texture.needsUpdate = true;
    // After the upload, the bitmap would only duplicate GPU memory.
    texture.onUpdate = () => closePicture(texture);
    if (copy) this.#sharpen(url, options, texture, bitmap, whole);
    if (gradual) await this.#replace(texture, bitmap, () => true);
    return texture;
  }

  /** Replaces a small copy once the full image is loaded. */
  #sharpen(
    url: string,
    options: TextureOptions,
    texture: Texture,
    shown: ImageBitmap,
    whole: Promise<ImageBitmap>,
  ): void {
    const key = textureKeyOf(url, options);
    const entry = this.#textures.get(key);
    const isUsed = () => entry !== undefined && this.#textures.get(key) === entry;
    const sharpened = whole
      .then(async (bitmap) => {
        if (bitmap === shown) return;
        if (options.asIs) await this.#replace(texture, bitmap, isUsed);
        else if (isUsed()) {
          // Textures have a fixed size on the GPU, so the next frame must recreate it.
          texture.dispose();
          closePicture(texture);
          texture.image = bitmap;
          texture.needsUpdate = true;
        } else bitmap.close();
        if (isUsed()) this.#onSharp();
      })
      // Keep the small copy.
      .catch(() => undefined)
      .finally(() => this.#coming.delete(sharpened));
    this.#coming.add(sharpened);
  }

  /** Uploads an image over several frames, and closes it. */
  async #replace(texture: Texture, bitmap: ImageBitmap, isUsed: () => boolean): Promise<void> {
    try {
      const { replaceGradually } = await import('./gradual-upload.ts');
      await replaceGradually(this.#renderer, texture, bitmap, isUsed);
    } finally {
      bitmap.close();
    }
  }

  /** Reloads all images after a context loss. */
  restore(): void {
    for (const [key, entry] of this.#textures)
      entry.promise.then(
        async (texture) => {
          if (texture.image instanceof ImageBitmap) return;
          // Prevents uploads until the image is loaded.
          texture.version = 0;
          const bitmap = await entry.reload();
          if (this.#textures.get(key) !== entry) return bitmap.close();
          texture.image = bitmap;
          texture.needsUpdate = true;
          this.#onSharp();
        },
        () => undefined,
      );
  }

  /** Releases a texture, disposing it with its last user. */
  release(url: string, options: Pick<TextureOptions, 'asIs'> = {}): void {
    this.#release(textureKeyOf(url, options));
  }

  #release(key: string): void {
    const entry = this.#textures.get(key);
    if (!entry || --entry.users > 0) return;
    this.#textures.delete(key);
    entry.promise.then(
      (texture) => {
        closePicture(texture);
        texture.dispose();
      },
      () => undefined,
    );
  }

  /**
   * A geometry or material shared by elements; call `unshare` afterwards.
   * @param key identifying the part
   */
  share<T extends Part>(key: string, make: () => T): T {
    const entry = this.#parts.get(key) ?? { part: make(), users: 0 };
    entry.users++;
    this.#parts.set(key, entry);
    return entry.part as T;
  }

  /** Releases a shared part, disposing it with its last user. */
  unshare(key: string): void {
    const entry = this.#parts.get(key);
    if (!entry || --entry.users > 0) return;
    this.#parts.delete(key);
    entry.part.dispose();
  }

  /** Disposes everything. */
  dispose(): void {
    for (const [key, entry] of this.#textures) {
      entry.users = 1;
      this.#release(key);
    }
    for (const { part } of this.#parts.values()) part.dispose();
    this.#parts.clear();
  }
}
