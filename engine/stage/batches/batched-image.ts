import { BoxGeometry, Group, type Material, Matrix4, Mesh, PlaneGeometry } from 'three';
import type { ElementOf } from '../../document/element.ts';
import { imageSize } from '../../document/image-size.ts';
import { imageSizes, layerCopy } from '../../document/small-copy.ts';
import type { ElementView, StageContext } from '../context.ts';
import {
  type Caption,
  type CaptionLayout,
  captionPixels,
  drawCaption,
  smallCaption,
} from '../elements/parts/caption.ts';
import { captionOf, placeCaption } from '../elements/parts/image-caption.ts';
import { BODY_GAP, bodyLook } from './body.ts';
import type { FrameView } from './frame-view.ts';
import { ImageSheets } from './image-sheets.ts';
import { Instance } from './instances.ts';
import { type LateFrame, lateFrame } from './late-frame.ts';
import { textureBytes } from './layer-array.ts';
import { type LayerJob, UsedLayer } from './layer-cache.ts';
import { hasAlpha, loadLayer } from './load-layer.ts';
import { PICKED } from './picked.ts';
import {
  CAPTION_LAYERS,
  type ImageLayers,
  LAYER_SIDES,
  type LargerLayer,
  RoomImages,
  type SharingImage,
} from './room-images.ts';
import { isJpeg, SharpPicture } from './sharp-picture.ts';

const placed = new Matrix4();

interface Box {
  width: number;
  height: number;
  depth: number;
}

/** The caption of a batched image. */
class BatchedCaption implements LargerLayer {
  readonly layout: CaptionLayout;
  readonly mesh: Mesh;
  readonly small: UsedLayer;
  readonly layer: UsedLayer;
  readonly ratio: number;
  wantedAt = 0;
  readonly #instance = new Instance();
  readonly #changed: () => void;
  #drawn: Caption | undefined;

  /** @param width of the image in units */
  constructor(layout: CaptionLayout, mesh: Mesh, width: number, images: RoomImages, changed: () => void) {
    this.layout = layout;
    this.mesh = mesh;
    this.ratio = layout.width / width;
    this.#changed = changed;
    const key = JSON.stringify(layout);
    this.small = new UsedLayer(images.captions, key, () => changed());
    this.layer = new UsedLayer(images.largeCaptions, key, () => changed());
    this.small.take();
  }

  loadSmall(): LayerJob | undefined {
    return this.small.job(async () => smallCaption(this.layout, CAPTION_LAYERS.small));
  }

  load(): LayerJob | undefined {
    return this.layer.job(async () => smallCaption(this.layout, CAPTION_LAYERS.large));
  }

  leave(): void {
    this.layer.leave();
    this.#changed();
  }

  /** Whether a layer can be shown. */
  get isReady(): boolean {
    return (this.layer.shown ?? this.small.shown) !== undefined;
  }

  show(matrix: Matrix4, ignoreLight: boolean): void {
    (this.layer.shown ? this.layer : this.small).show(this.#instance, matrix, ignoreLight);
  }

  hide(): void {
    this.#instance.hide();
  }

  /** Draws the caption by itself. */
  sharpen(): void {
    this.#drawn ??= drawCaption(this.layout);
    this.mesh.material = this.#drawn.mesh.material;
  }

  clear(): void {
    this.#drawn?.dispose();
    this.#drawn = undefined;
    this.mesh.material = PICKED;
  }

  dispose(): void {
    this.hide();
    for (const layer of [this.small, this.layer]) layer.leave();
    this.clear();
  }
}

/** An image that its room draws as instances, or by itself when it is near. */
class BatchedImage implements SharingImage, ImageLayers {
  readonly sides;
  readonly sizes;
  readonly picture: LargerLayer;
  readonly caption: BatchedCaption | undefined;
  readonly object: Mesh | Group;
  readonly face: Mesh;
  isVisible = false;
  readonly #context: StageContext;
  readonly #element: ElementOf<'image'>;
  readonly #url: string;
  readonly #images: RoomImages;
  readonly #sharp: SharpPicture;
  readonly #base: UsedLayer;
  readonly #frame: FrameView | undefined;
  readonly #body: { mesh: Mesh; size: Box } | undefined;
  readonly #instance = new Instance();
  readonly #box = new Instance();
  /** Keys of shared geometries. */
  readonly #shared: string[] = [];

  constructor(
    context: StageContext,
    element: ElementOf<'image'>,
    url: string,
    { caption, frame }: { caption: CaptionLayout | undefined; frame: LateFrame | undefined },
  ) {
    const { file, depth, ignore_light: ignoreLight } = element;
    this.#context = context;
    this.#element = element;
    this.#url = url;
    this.#images = RoomImages.of(context);
    this.sides = imageSize(element, { width: file!.width!, height: file!.height! });
    this.sizes = imageSizes(url, file);
    this.#sharp = new SharpPicture(context, element, this.sizes, this.#images.maxImageBytes);
    this.#base = new UsedLayer(this.#images.base, layerCopy(url, file, 'small'), this.#changed);
    const middle = new UsedLayer(this.#images.middle, layerCopy(url, file, 'middle'), () => this.#changed());
    this.picture = {
      layer: middle,
      ratio: 1,
      wantedAt: 0,
      load: () => middle.job(() => loadLayer(middle.key, LAYER_SIDES.middle)),
      leave: () => {
        middle.leave();
        this.#draw();
      },
    };
    this.#base.take();
    this.face = this.#plane(this.sides);
    this.face.castShadow = true;
    this.face.receiveShadow = !ignoreLight;
    const parts = [this.face];
    if (depth) {
      this.face.position.z = depth / 2 + BODY_GAP;
      this.#body = this.#boxOf({ ...this.sides, depth });
      parts.push(this.#body.mesh);
    }
    this.#frame = frame?.make({ sides: this.sides, face: this.face.position.z });
    if (this.#frame?.front) parts.push(this.#frame.front);
    if (caption) {
      const mesh = this.#plane(caption);
      placeCaption(mesh, caption, element, this.sides, frame?.border);
      mesh.position.z = this.face.position.z;
      this.caption = new BatchedCaption(caption, mesh, this.sides.width, this.#images, () => this.#changed());
      parts.push(mesh);
    }
    this.object = parts.length === 1 ? this.face : new Group().add(...parts);
    this.#images.add(this);
  }

  get world(): Matrix4 {
    return this.object.matrix;
  }

  get bytes(): number[] {
    const { layout } = this.caption ?? {};
    const caption = layout ? textureBytes(captionPixels(layout), 1) : 0;
    return this.#sharp.bytes.map((bytes) => bytes + caption);
  }

  get draws(): number {
    return this.caption ? 2 : 1;
  }

  get current(): number | undefined {
    return this.#sharp.current;
  }

  get isLoading(): boolean {
    return this.#sharp.isLoading;
  }

  get isAlone(): boolean {
    return this.#images.transparent.has(this.#url);
  }

  get layers(): ImageLayers | undefined {
    return this.isAlone ? undefined : this;
  }

  #share<T extends { dispose(): void }>(key: string, make: () => T): T {
    this.#shared.push(key);
    return this.#context.resources.share(key, make);
  }

  #plane({ width, height }: { width: number; height: number }): Mesh {
    return new Mesh(
      this.#share(`plane ${width} ${height}`, () => new PlaneGeometry(width, height)),
      PICKED as Material,
    );
  }

  #boxOf(size: Box): { mesh: Mesh; size: Box } {
    const { width, height, depth } = size;
    const geometry = this.#share(`box ${width} ${height} ${depth}`, () => new BoxGeometry(width, height, depth));
    const mesh = new Mesh(geometry, PICKED);
    // Always drawn as an instance.
    mesh.visible = false;
    return { mesh, size };
  }

  get needsSmall(): boolean {
    return this.#base.isEmpty || this.caption?.small.isEmpty === true;
  }

  loadSmall(): (LayerJob | undefined)[] {
    return [this.#base.job(() => this.#loadBase()), this.caption?.loadSmall()];
  }

  async #loadBase(): Promise<ImageBitmap | undefined> {
    const { key } = this.#base;
    const bitmap = (await ImageSheets.of(this.#context).load(key)) ?? (await loadLayer(key, LAYER_SIDES.small));
    if (isJpeg(this.#url) || !hasAlpha(bitmap)) return bitmap;
    bitmap.close();
    this.#images.transparent.add(this.#url);
    this.#images.request();
    return undefined;
  }

  readonly #changed = (error?: unknown): void => {
    if (error !== undefined) this.#context.fail(error, this.#element.id);
    this.#draw();
    this.#context.invalidate();
  };

  /** Matrix of a unit mesh at a part of the image. */
  #matrix({ position }: Mesh, width: number, height: number, depth = 1): Matrix4 {
    return placed.makeScale(width, height, depth).setPosition(position).premultiply(this.world);
  }

  /** Shows, moves or hides the instances. */
  #draw(): void {
    const { width, height } = this.sides;
    const { ignore_light: ignoreLight } = this.#element;
    const isSharp = this.current !== undefined;
    const layer = this.picture.layer.shown ? this.picture.layer : this.#base;
    const isShown = this.isVisible && !this.isAlone && !isSharp && layer.shown !== undefined;
    if (isShown) layer.show(this.#instance, this.#matrix(this.face, width, height), ignoreLight);
    else this.#instance.hide();
    const isDrawn = isShown || (this.isVisible && isSharp);
    if (this.#body) {
      const { mesh, size } = this.#body;
      const bodies = this.#images.instances('bodies', bodyLook);
      if (isDrawn) this.#box.show(bodies, this.#matrix(mesh, size.width, size.height, size.depth));
      else this.#box.hide();
    }
    if (isDrawn) this.#frame?.show(this.world);
    else this.#frame?.hide();
    if (!this.caption) return;
    const { layout, mesh, isReady } = this.caption;
    if (isShown && isReady) this.caption.show(this.#matrix(mesh, layout.width, layout.height), ignoreLight);
    else this.caption.hide();
  }

  async resize(size: number | undefined): Promise<void> {
    if (size === undefined) {
      this.#context.three.remove(this.object);
      this.#sharp.clear();
      this.face.material = PICKED;
      this.caption?.clear();
      this.#changed();
      return;
    }
    await this.#sharp.change(size, () => {
      this.caption?.sharpen();
      this.face.material = this.#sharp.material!;
      this.#context.three.add(this.object);
      this.#draw();
    });
  }

  moved(): void {
    if (this.object !== this.face) this.object.updateMatrixWorld(true);
    this.#draw();
  }

  show(visible: boolean): void {
    this.isVisible = visible;
    this.#draw();
    this.#images.request();
  }

  dispose(): void {
    for (const instance of [this.#instance, this.#box]) instance.hide();
    for (const layer of [this.#base, this.picture.layer]) layer.leave();
    for (const key of this.#shared) this.#context.resources.unshare(key);
    this.caption?.dispose();
    this.#frame?.dispose();
    this.#sharp.dispose();
    this.#images.remove(this);
  }
}

/** Draws an image of known size in a batch. */
export async function drawBatched(
  context: StageContext,
  element: ElementOf<'image'>,
  url: string,
): Promise<ElementView> {
  const [caption, frame] = await Promise.all([captionOf(element), lateFrame(context, element, RoomImages.of(context))]);
  const image = new BatchedImage(context, element, url, { caption, frame });
  return {
    object: image.object,
    face: image.face,
    isBatched: true,
    matchSize: () => RoomImages.of(context).request(),
    moved: () => image.moved(),
    show: (visible) => image.show(visible),
    dispose: () => image.dispose(),
  };
}
