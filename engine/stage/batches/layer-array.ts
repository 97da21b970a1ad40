import {
  DataArrayTexture,
  DataTexture,
  LinearFilter,
  LinearMipmapLinearFilter,
  SRGBColorSpace,
  Texture,
  Vector3,
  type WebGLRenderer,
} from 'three';
import { allocate } from '../resources/gradual-upload.ts';

/** What a layer shows, with bottom-up rows. */
export type LayerSource = ImageBitmap | DataTexture;

/** Milliseconds over which layers are collected: each upload computes the mipmaps of all layers. */
const COLLECT_TIME = 150;
/** Bytes of layers uploaded at once. */
const MAX_UPLOAD_BYTES = 4 * 2 ** 20;
/** GPU bytes of a pixel: mipmaps take a third more. */
export const PIXEL_BYTES = (4 * 4) / 3;

interface Waiting {
  layer: number;
  source: LayerSource;
  done(): void;
  failed(error: Error): void;
}

/** GPU bytes of an image with mipmaps. */
export const textureBytes = (width: number, height: number): number => Math.round(width * height * PIXEL_BYTES);

/** An array texture whose layers are written one by one. */
export class LayerArray {
  readonly texture: DataArrayTexture;
  readonly #renderer: WebGLRenderer;
  readonly #free: number[];
  readonly #waiting: Waiting[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param size of a layer in pixels */
  constructor(renderer: WebGLRenderer, size: { width: number; height: number }, depth: number) {
    this.#renderer = renderer;
    this.#free = Array.from({ length: depth }, (_, index) => depth - 1 - index);
    this.texture = new DataArrayTexture(null, size.width, size.height, depth);
    this.texture.colorSpace = SRGBColorSpace;
    this.texture.minFilter = LinearMipmapLinearFilter;
    this.texture.magFilter = LinearFilter;
    this.texture.anisotropy = 8;
    this.texture.generateMipmaps = true;
    allocate(renderer, this.texture);
  }

  /** GPU bytes of all layers. */
  get bytes(): number {
    const { width, height, depth } = this.texture.image;
    return textureBytes(width, height) * depth;
  }

  get isFull(): boolean {
    return this.#free.length === 0;
  }

  /** Reserves a layer. */
  take(): number {
    const layer = this.#free.pop();
    if (layer === undefined) throw new Error('The array texture is full.');
    return layer;
  }

  /** Frees a layer. */
  give(layer: number): void {
    this.#free.push(layer);
  }

  /**
   * Writes a layer and closes its image.
   * @returns resolves when the layer can be shown
   * @throws if the WebGL context is lost
   */
  write(layer: number, source: LayerSource): Promise<void> {
    this.#timer ??= setTimeout(() => this.#flush(), COLLECT_TIME);
    return new Promise((done, failed) => this.#waiting.push({ layer, source, done, failed }));
  }

  #flush(): void {
    this.#timer = undefined;
    const { width, height } = this.texture.image;
    const group = this.#waiting.splice(0, Math.max(1, Math.floor(MAX_UPLOAD_BYTES / (width * height * 4))));
    const isLost = this.#renderer.getContext().isContextLost();
    for (const [index, { layer, source }] of group.entries()) {
      this.texture.mipmapsAutoUpdate = index === group.length - 1;
      const texture = source instanceof DataTexture ? source : new Texture(source);
      if (!isLost) this.#renderer.copyTextureToTexture(texture, this.texture, null, new Vector3(0, 0, layer));
      if (source instanceof ImageBitmap) source.close();
    }
    for (const { done, failed } of group) {
      if (isLost) failed(new Error('The WebGL context was lost.'));
      else done();
    }
    if (this.#waiting.length > 0) this.#timer = setTimeout(() => this.#flush());
  }

  /** Allocates the texture again after the WebGL context was lost. Its layers are empty. */
  restore(): void {
    allocate(this.#renderer, this.texture);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const { source, failed } of this.#waiting.splice(0)) {
      if (source instanceof ImageBitmap) source.close();
      failed(new Error('The room was left.'));
    }
    this.texture.dispose();
  }
}
