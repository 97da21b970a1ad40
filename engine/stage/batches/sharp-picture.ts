import { Color, type Material, MeshBasicMaterial, MeshStandardMaterial, type Texture } from 'three';
import type { ElementOf } from '../../document/element.ts';
import type { ImageSize } from '../../document/small-copy.ts';
import type { StageContext } from '../context.ts';
import { PIXEL_BYTES, textureBytes } from './layer-array.ts';

function materialFor(map: Texture, ignoreLight: boolean, url: string): Material {
  const settings = {
    map,
    transparent: true,
    alphaTest: 0.01,
    // JPEG has no alpha channel.
    userData: { covers: isJpeg(url) },
  };
  return ignoreLight
    ? new MeshBasicMaterial({ ...settings, toneMapped: false })
    : new MeshStandardMaterial({ ...settings, roughness: 0.9, envMapIntensity: 0, color: new Color(1, 1, 1) });
}

export const isJpeg = (url: string): boolean => /\.jpe?g$/i.test(url);

interface Surface {
  texture: Texture;
  material: Material;
  free(): void;
}

/** The texture of an image that is drawn by itself, in one of its sizes. */
export class SharpPicture {
  readonly #context: StageContext;
  readonly #element: ElementOf<'image'>;
  readonly #sizes: readonly ImageSize[];
  readonly #maxBytes: number;
  #surface: Surface | undefined;
  #isOver = false;
  /** Whether another size is being loaded. */
  isLoading = false;
  /** Index of the size that is drawn; undefined for none. */
  current: number | undefined;

  /**
   * @param sizes smallest first
   * @param maxBytes of a texture; larger images are downscaled
   */
  constructor(context: StageContext, element: ElementOf<'image'>, sizes: readonly ImageSize[], maxBytes: number) {
    this.#context = context;
    this.#element = element;
    this.#sizes = sizes;
    this.#maxBytes = maxBytes;
  }

  /** Its material; undefined if it isn't drawn. */
  get material(): Material | undefined {
    return this.#surface?.material;
  }

  /** Width of the file divided by its height; 1 if unknown. */
  get #ratio(): number {
    const { width, height } = this.#element.file ?? this.#loaded;
    return width && height ? width / height : 1;
  }

  /** Size of the loaded image in pixels. */
  get #loaded(): { width?: number; height?: number } {
    return (this.#surface?.texture.image ?? {}) as { width?: number; height?: number };
  }

  /** GPU bytes of each size. */
  get bytes(): number[] {
    return this.#sizes.map(({ width }) => {
      const across = width === Number.MAX_SAFE_INTEGER ? (this.#loaded.width ?? 0) : width;
      return Math.min(textureBytes(across, across / this.#ratio), this.#maxBytes);
    });
  }

  /** Maximum side in pixels of a size. */
  #maxSide({ width }: ImageSize): number {
    const most = this.#context.renderer.capabilities.maxTextureSize;
    const ratio = this.#ratio;
    if (width === Number.MAX_SAFE_INTEGER || textureBytes(width, width / ratio) <= this.#maxBytes) return most;
    const pixels = this.#maxBytes / PIXEL_BYTES;
    return Math.min(most, Math.floor(Math.sqrt(pixels * Math.max(ratio, 1 / ratio))));
  }

  /** Loads an image in one of its sizes; material and texture are shared between equal images. */
  async #load(size: ImageSize, small?: string): Promise<Surface> {
    const { resources } = this.#context;
    const { url } = size;
    const { ignore_light: ignoreLight } = this.#element;
    const texture = await resources.texture(url, { maxSize: this.#maxSide(size), small });
    const key = `picture ${ignoreLight} ${url}`;
    const material = resources.share(key, () => materialFor(texture, ignoreLight, url));
    return {
      texture,
      material,
      free: () => {
        resources.unshare(key);
        resources.release(url);
      },
    };
  }

  /** Loads the first size, which may be preceded by the smallest one. */
  async start(size: number): Promise<Texture> {
    this.#surface = await this.#load(this.#sizes[size]!, size > 0 ? this.#sizes[0]!.url : undefined);
    this.current = size;
    return this.#surface.texture;
  }

  /**
   * Draws the image in another size, once that is on the GPU.
   * @param show called then
   */
  async change(size: number, show: () => void): Promise<void> {
    if (this.isLoading || size === this.current) return;
    this.isLoading = true;
    try {
      const other = await this.#load(this.#sizes[size]!);
      if (this.#isOver) return other.free();
      const { renderer } = this.#context;
      if (!renderer.getContext().isContextLost()) renderer.initTexture(other.texture);
      const last = this.#surface;
      this.#surface = other;
      this.current = size;
      show();
      last?.free();
    } finally {
      this.isLoading = false;
    }
  }

  /** Frees the texture. */
  clear(): void {
    this.#surface?.free();
    this.#surface = undefined;
    this.current = undefined;
  }

  dispose(): void {
    this.#isOver = true;
    this.clear();
  }
}
