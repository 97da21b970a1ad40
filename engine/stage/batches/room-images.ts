import { type Matrix4, Object3D, type Scene, Vector3 } from 'three';
import { IMAGE_LIMITS } from '../../document/constants.ts';
import type { ImageSize } from '../../document/small-copy.ts';
import type { StageContext } from '../context.ts';
import { budget } from '../resources/device.ts';
import {
  MAX_MAGNIFICATION,
  maxSeenWidth,
  seenWidth,
  sizeFor,
  type Viewpoint,
  viewpointOf,
} from '../resources/seen-width.ts';
import { type InstanceLook, InstanceSet } from './instances.ts';
import { LayerCache, type LayerJob, type UsedLayer } from './layer-cache.ts';
import { shareMemory } from './share-memory.ts';

/*
 * Images of rooms that have many. Each image has a small layer of an array texture, and all layers are drawn as
 * instances of one mesh. They come in sheets that the server packs, as far as it has (image-sheets.ts). Images that are
 * seen larger than that get a layer of a second array, which has larger layers but only for some images. Those that are
 * seen larger still are drawn by themselves, each with its own texture, as all images of rooms with few are. Textures of
 * both kinds share one limit in bytes.
 * The objects of images that are instances are not part of the scene: they are only picked, outlined and measured, so
 * that a frame costs the same for any number of them.
 */

/** Minimum fraction of it for images that are drawn by themselves, whatever the layers need. */
const MIN_SHARP = 1 / 4;
/** Sides of layers in pixels, and the number of larger ones. */
export const LAYER_SIDES = { small: 64, middle: 256 } as const;
const MIDDLE_LAYERS = 64;
/** Displayed widths in pixels for which layers are sharp enough. */
const SMALL_ENOUGH = LAYER_SIDES.small * MAX_MAGNIFICATION;
const MIDDLE_ENOUGH = LAYER_SIDES.middle * MAX_MAGNIFICATION;
/** Layers of captions in pixels: of all, and of those that can be read. */
export const CAPTION_LAYERS = { small: { width: 64, height: 32 }, large: { width: 384, height: 192 } } as const;
const LARGE_CAPTIONS = 32;
/** Displayed width in pixels from which captions can be read. */
const READABLE = 72;
/** Concurrent loads: of layers, and of larger images. */
const PARALLEL = { layers: 6, sharp: 3 } as const;
/** Relative importance of images behind the visitor. */
const BEHIND = 0.5;
/** Loaded layers after which the room counts as drawn. */
const ENOUGH = 200;

/** An image, as far as it shares memory with the others of its room. */
export interface SharingImage {
  /** World matrix; the image is centered at the origin in the xy plane. */
  readonly world: Matrix4;
  /** Size in units. */
  readonly sides: { width: number; height: number };
  readonly sizes: readonly ImageSize[];
  /** GPU bytes of each size. */
  readonly bytes: readonly number[];
  readonly isVisible: boolean;
  /** Whether no batch draws it. */
  readonly isAlone: boolean;
  /** Draw calls outside its batch. */
  readonly draws: number;
  /** Index of the size that is drawn; undefined if a batch draws it. */
  readonly current: number | undefined;
  readonly isLoading: boolean;
  /** Draws the image in another size; undefined for its batch. */
  resize(size: number | undefined): Promise<void>;
  /** Its layers; undefined if it has none. */
  readonly layers: ImageLayers | undefined;
}

/** A larger layer of an image or a caption, which only those near the visitor have. */
export interface LargerLayer {
  readonly layer: UsedLayer;
  /** Width of its content, relative to the image. */
  readonly ratio: number;
  /** Pass in which it was last wanted. */
  wantedAt: number;
  /** Loads it, unless it is loaded. */
  load(): LayerJob | undefined;
  /** Gives it to another image. */
  leave(): void;
}

/** The layers of an image that a batch can draw. */
export interface ImageLayers {
  readonly picture: LargerLayer;
  /** Undefined without a caption. */
  readonly caption: LargerLayer | undefined;
  /** Whether its small image or its caption isn't loaded. */
  readonly needsSmall: boolean;
  /** Loads its small image and its caption, unless they are loaded. */
  loadSmall(): (LayerJob | undefined)[];
}

interface State {
  /** Displayed width in pixels. */
  seen: number;
  /** Displayed width, less behind the visitor. */
  weight: number;
  /** Pass in which the image was last wanted by itself. */
  wantedAt: number;
  /** Indexes of sizes that could not be loaded. */
  failed: Set<number>;
}

type Ordered = { image: SharingImage; state: State };

const rooms = new WeakMap<Scene, RoomImages>();
const ahead = new Vector3();

/** All images of a room: decides how each is drawn, and loads what that takes. */
export class RoomImages {
  readonly context: StageContext;
  readonly base: LayerCache;
  readonly middle: LayerCache;
  readonly captions: LayerCache;
  readonly largeCaptions: LayerCache;
  /** URLs of images with transparent parts, which no batch draws. */
  readonly transparent = new Set<string>();
  readonly #object = new Object3D();
  readonly #images = new Map<SharingImage, State>();
  readonly #abort = new AbortController();
  /** Number of images in the document when the first was drawn. */
  readonly #expected: number;
  readonly #sets = new Map<string, InstanceSet>();
  #queue: LayerJob[] = [];
  #pass = 0;
  #loading = 0;
  #writing = 0;
  #sharpening = 0;
  #loaded = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #settle: () => void = () => undefined;

  private constructor(context: StageContext) {
    this.context = context;
    const isImage = ({ element, config }: { element: string; config: object }) =>
      element === 'image' && (config as { appearance?: string }).appearance === 'image';
    this.#expected = context.scene.room.elements.filter(isImage).length;
    const { small, middle } = LAYER_SIDES;
    const options = { parent: this.#object, expected: this.#expected, hasAlpha: false, castShadow: true };
    this.base = new LayerCache(context, { ...options, width: small, height: small });
    const few = { expected: MIDDLE_LAYERS, limit: MIDDLE_LAYERS };
    this.middle = new LayerCache(context, { ...options, ...few, width: middle, height: middle });
    const caption = { ...options, hasAlpha: true, castShadow: false };
    this.captions = new LayerCache(context, { ...caption, ...CAPTION_LAYERS.small });
    const large = { expected: LARGE_CAPTIONS, limit: LARGE_CAPTIONS };
    this.largeCaptions = new LayerCache(context, { ...caption, ...large, ...CAPTION_LAYERS.large });
    this.#object.matrixAutoUpdate = false;
  }

  #begin(): void {
    const { three, renderer, resources } = this.context;
    this.#object.userData.isBatch = true;
    three.add(this.#object);
    const { signal } = this.#abort;
    renderer.domElement.addEventListener('webglcontextrestored', () => this.#restore(), { signal });
    resources.wait(
      new Promise((resolve) => {
        this.#settle = resolve;
      }),
    );
  }

  /** The images of a room, which are freed with the last of them. */
  static of(context: StageContext): RoomImages {
    const known = rooms.get(context.three) ?? new RoomImages(context);
    rooms.set(context.three, known);
    return known;
  }

  /** Whether further images are drawn by batches. */
  get isCrowded(): boolean {
    return this.#expected > IMAGE_LIMITS.single || this.#images.size >= IMAGE_LIMITS.single;
  }

  /** Maximum GPU bytes of one image. */
  get maxImageBytes(): number {
    return this.#maxBytes / 2;
  }

  get #maxBytes(): number {
    return budget().imageBytes;
  }

  get #caches(): LayerCache[] {
    return [this.base, this.middle, this.captions, this.largeCaptions];
  }

  /** Bytes for images that are drawn by themselves. */
  get #sharpBytes(): number {
    const layers = this.#caches.reduce((sum, { bytes }) => sum + bytes, 0);
    return Math.max(this.#maxBytes - layers, this.#maxBytes * MIN_SHARP);
  }

  /** Instances that all images share, such as boxes behind those with depth. @param key of their look */
  instances(key: string, look: () => InstanceLook): InstanceSet {
    const set = this.#sets.get(key) ?? new InstanceSet(this.#object, look());
    this.#sets.set(key, set);
    return set;
  }

  add(image: SharingImage): void {
    if (this.#images.size === 0) this.#begin();
    this.#images.set(image, { seen: 0, weight: 0, wantedAt: 0, failed: new Set() });
    this.request();
  }

  remove(image: SharingImage): void {
    this.#images.delete(image);
    if (this.#images.size === 0) this.#dispose();
  }

  /** The size that an image is first drawn in: as large as it is seen, if there is memory. */
  firstSize(image: SharingImage): number {
    const { sizes, bytes } = image;
    let left = this.#sharpBytes;
    for (const { current, bytes: other } of this.#images.keys()) if (current !== undefined) left -= other[current]!;
    let size = sizeFor(sizes, seenWidth(this.#viewpoint, image.world, image.sides));
    while (size > 0 && bytes[size]! > left) size--;
    return size;
  }

  /** Checks soon how images should be drawn. */
  request(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#fit();
    });
  }

  get #viewpoint(): Viewpoint {
    return viewpointOf(this.context.camera, this.context.renderer.domElement.height);
  }

  #fit(): void {
    if (this.context.renderer.getContext().isContextLost()) return;
    this.#pass++;
    this.context.camera.getWorldDirection(ahead);
    const viewpoint = this.#viewpoint;
    const { x, y, z } = viewpoint.eye;
    const ordered: Ordered[] = [];
    for (const [image, state] of this.#images) {
      if (!image.isVisible) continue;
      const { world, sides } = image;
      const { elements } = world;
      state.seen = maxSeenWidth(viewpoint, world, sides);
      if (image.isAlone || state.seen > SMALL_ENOUGH) state.seen = seenWidth(viewpoint, world, sides);
      const isAhead = (elements[12] - x) * ahead.x + (elements[13] - y) * ahead.y + (elements[14] - z) * ahead.z > 0;
      state.weight = state.seen * (isAhead ? 1 : BEHIND);
      ordered.push({ image, state });
    }
    ordered.sort((one, other) => other.state.weight - one.state.weight);
    this.#fitSharp(ordered);
    this.#fitLayers(ordered);
    this.#work();
    this.#settleIfDone();
  }

  /** Chooses which images are drawn by themselves, and in which size. */
  #fitSharp(ordered: readonly Ordered[]): void {
    const wantedOf = ({ image, state }: Ordered): number | undefined => {
      const { isAlone, sizes, current } = image;
      if (!isAlone && state.seen <= MIDDLE_ENOUGH) return undefined;
      let size = sizeFor(sizes, state.seen, current);
      while (state.failed.has(size)) size--;
      return size < 0 ? current : size;
    };
    const claims = ordered.flatMap((each) => {
      const wanted = wantedOf(each);
      const { image, state } = each;
      if (wanted !== undefined && !image.isAlone) state.wantedAt = this.#pass;
      const { isAlone, current, draws } = image;
      if (wanted === undefined && current === undefined) return [];
      return [{ image, wanted, isAlone, current, draws, bytes: image.bytes, wantedAt: state.wantedAt }];
    });
    for (const [image, { wantedAt }] of this.#images) {
      const { isAlone, current, draws, isVisible } = image;
      if (isVisible || current === undefined) continue;
      claims.push({
        image,
        wanted: isAlone ? current : undefined,
        isAlone,
        current,
        draws,
        bytes: image.bytes,
        wantedAt,
      });
    }
    const sizes = shareMemory(claims, { bytes: this.#sharpBytes, draws: IMAGE_LIMITS.near });
    const changes = claims
      .map(({ image }, index) => ({ image, size: sizes[index] }))
      .filter(({ image, size }) => size !== image.current && !image.isLoading && !this.#hasFailed(image, size));
    // Free memory before loading.
    const grows = ({ image, size }: (typeof changes)[number]) => size !== undefined && size > (image.current ?? -1);
    for (const { image, size } of changes) if (size === undefined) void image.resize(undefined);
    for (const change of [...changes.filter((each) => !grows(each)), ...changes.filter(grows)])
      if (change.size !== undefined && this.#sharpening < PARALLEL.sharp) this.#sharpen(change.image, change.size);
  }

  #hasFailed(image: SharingImage, size: number | undefined): boolean {
    return size !== undefined && this.#images.get(image)!.failed.has(size);
  }

  #sharpen(image: SharingImage, size: number): void {
    this.#sharpening++;
    const next = () => {
      this.#sharpening--;
      this.context.invalidate();
      if (this.#images.size > 0) this.request();
    };
    image.resize(size).then(next, () => {
      // A smaller size is tried instead.
      this.#images.get(image)?.failed.add(size);
      next();
    });
  }

  /** Chooses which images have larger layers, and queues the layers to load. */
  #fitLayers(ordered: readonly Ordered[]): void {
    const jobs = [
      ...this.#fitLarger(ordered, 'picture', { enough: SMALL_ENOUGH, most: MIDDLE_LAYERS }),
      ...this.#fitLarger(ordered, 'caption', { enough: READABLE, most: LARGE_CAPTIONS }),
    ];
    for (const { image } of ordered) if (image.layers?.needsSmall) jobs.push(...image.layers.loadSmall());
    this.#queue = jobs.filter((job) => job !== undefined);
  }

  /** @param limits displayed width in pixels for which the small layer is enough, and maximum number of larger ones */
  #fitLarger(
    ordered: readonly Ordered[],
    kind: 'picture' | 'caption',
    { enough, most }: { enough: number; most: number },
  ): (LayerJob | undefined)[] {
    const near: LargerLayer[] = [];
    const keys = new Set<string>();
    for (const { image, state } of ordered) {
      const larger = image.layers?.[kind];
      if (!larger) continue;
      // An image that is drawn by itself may soon be drawn by its batch again.
      if (image.current !== undefined) larger.wantedAt = this.#pass;
      // The order is by weight: images behind the visitor come later, but may be seen larger.
      else if (keys.size < most && state.seen * larger.ratio > enough && !image.isLoading) {
        keys.add(larger.layer.key);
        near.push(larger);
      }
    }
    for (const larger of near) larger.wantedAt = this.#pass;
    const stale = [...this.#images.keys()]
      .flatMap(({ layers }) => layers?.[kind] ?? [])
      .filter(({ layer, wantedAt }) => layer.isTaken && wantedAt < this.#pass)
      .sort((one, other) => other.wantedAt - one.wantedAt);
    return near.map((larger) => {
      const { layer } = larger;
      while (!layer.isTaken && layer.isOverLimit && stale.length > 0) stale.pop()!.leave();
      if (!layer.isOverLimit) layer.take();
      return larger.load();
    });
  }

  #work(): void {
    while (this.#loading < PARALLEL.layers && this.#queue.length > 0) void this.#load(this.#queue.shift()!);
  }

  async #load(job: LayerJob): Promise<void> {
    this.#loading++;
    const { written } = await job();
    this.#loading--;
    this.#work();
    this.#writing++;
    await written;
    this.#writing--;
    this.#loaded++;
    this.#settleIfDone();
  }

  /** Reports the images as drawn: the nearest ones are enough. */
  #settleIfDone(): void {
    if (this.#sharpening > 0 || this.#timer !== undefined) return;
    const isDone = this.#loading + this.#writing + this.#queue.length === 0;
    if (isDone || this.#loaded >= ENOUGH) this.#settle();
  }

  #restore(): void {
    for (const cache of this.#caches) cache.restore();
    this.request();
  }

  #dispose(): void {
    const { three } = this.context;
    rooms.delete(three);
    three.remove(this.#object);
    clearTimeout(this.#timer);
    this.#abort.abort();
    this.#queue = [];
    for (const part of [...this.#caches, ...this.#sets.values()]) part.dispose();
    this.#settle();
  }
}
