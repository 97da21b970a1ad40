import type { Texture } from 'three';
import type { FileReference } from '../../document/fields.ts';
import type { PlacedPanorama } from '../../document/places.ts';
import type { StageContext } from '../context.ts';
import { budget } from '../resources/device.ts';
import type { TextureOptions } from '../resources/resources.ts';
import { textureOptions } from './panorama-material.ts';
import { shownPanorama } from './shown-panorama.ts';

/** An image on the GPU, or on its way there. */
interface Cached {
  texture: Promise<Texture>;
  /** Set once it is loaded. */
  loaded: Texture | undefined;
}

const urlsOf = (files: readonly FileReference[]): ReadonlySet<string> =>
  new Set(files.map(shownPanorama).flatMap(({ url, small }) => [url, ...(small ? [small] : [])]));

const bytesOf = ({ loaded }: Cached): number => {
  const { width = 0, height = 0 } = (loaded?.image ?? {}) as { width?: number; height?: number };
  return width * height * 4;
};

/** Images of panoramas, evicted least recently used first. */
export class PanoramaPictures {
  readonly #context: StageContext;
  /** By URL, least recently used first. */
  readonly #cached = new Map<string, Cached>();
  /** URLs of the images that are drawn. */
  #used: ReadonlySet<string> = new Set();
  /** URLs of the images that are drawn next. */
  #wanted: ReadonlySet<string> = new Set();

  /** @param texture whole image of the first panorama, acquired by the caller and released here */
  constructor(context: StageContext, { file }: PlacedPanorama, texture: Texture) {
    this.#context = context;
    this.#cached.set(shownPanorama(file).url, { texture: Promise.resolve(texture), loaded: texture });
    this.use([file]);
  }

  /** The best image that is loaded; undefined for none. */
  ready(file: FileReference): Texture | undefined {
    const { url, small } = shownPanorama(file);
    const whole = this.#cached.get(url)?.loaded;
    return whole ?? (small === undefined ? undefined : this.#cached.get(small)?.loaded);
  }

  /** The best image that is loaded, otherwise the small copy, or the whole image without one. @throws if it can't be loaded */
  first(file: FileReference): Promise<Texture> {
    const { url, small } = shownPanorama(file);
    const whole = this.#cached.get(url);
    return whole?.loaded || small === undefined ? this.whole(file) : this.#get(small, file);
  }

  /** The whole image, uploaded over several frames. @throws if it can't be loaded */
  whole(file: FileReference): Promise<Texture> {
    return this.#get(shownPanorama(file).url, file, { gradual: true });
  }

  /** Sets the panoramas that are drawn; images of others may be evicted. */
  use(files: readonly FileReference[]): void {
    this.#used = urlsOf(files);
    this.#evict();
  }

  /** Sets the panorama that is drawn next: its images aren't evicted. */
  want(file: FileReference): void {
    this.#wanted = urlsOf([file]);
  }

  #get(url: string, file: FileReference, options: Partial<TextureOptions> = {}): Promise<Texture> {
    const { resources, renderer } = this.#context;
    const known = this.#cached.get(url);
    const cached: Cached = known ?? {
      texture: resources.texture(url, { ...textureOptions(renderer, file), ...options }),
      loaded: undefined,
    };
    this.#cached.delete(url);
    this.#cached.set(url, cached);
    if (!known)
      cached.texture.then(
        (texture) => {
          cached.loaded = texture;
          this.#evict();
        },
        () => this.#cached.delete(url),
      );
    return cached.texture;
  }

  #evict(): void {
    let bytes = 0;
    for (const [url, cached] of [...this.#cached].reverse()) {
      if (this.#used.has(url) || this.#wanted.has(url)) continue;
      bytes += bytesOf(cached);
      if (bytes <= budget().panoramaBytes || !cached.loaded) continue;
      this.#cached.delete(url);
      this.#context.resources.release(url, { asIs: true });
    }
  }

  dispose(): void {
    for (const url of this.#cached.keys()) this.#context.resources.release(url, { asIs: true });
    this.#cached.clear();
  }
}
