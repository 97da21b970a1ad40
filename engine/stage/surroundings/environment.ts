import { Group, type PerspectiveCamera } from 'three';
import { panoramaOf } from '../../document/panorama.ts';
import type { Room } from '../../document/room.ts';
import type { StageContext, Surroundings, SurroundingsDrawing } from '../context.ts';
import type { Background } from './background.ts';
import type { PanoTiles } from './pano-tiles.ts';
import { freePart, placePart, spherePart } from './sphere.ts';

/**
 * A 360° photo around the visitor. It follows the camera, so that it appears infinitely far away. Wide photos get
 * sharp tiles where the visitor looks.
 */
const drawPano: SurroundingsDrawing = async (context, room) => {
  const file = room.template!.file!;
  const { url, small, tiles } = panoramaOf(file);
  const { resources, renderer } = context;
  const maxSize = renderer.capabilities.maxTextureSize;
  const texture = await resources.texture(url, { mipmaps: false, maxSize, small, asIs: true });
  const whole = spherePart(texture, { left: 0, top: 0, width: 1, height: 1 }, 0);
  if (file.part) placePart(whole.geometry, file.part);
  const object = new Group();
  object.add(whole);
  let sharp: PanoTiles | undefined;
  let isOver = false;
  let seen: PerspectiveCamera | undefined;
  if (tiles)
    import('./pano-tiles.ts').then(
      ({ PanoTiles: Tiles }) => {
        if (isOver) return;
        sharp = new Tiles(tiles, object, context);
        if (seen) sharp.follow(seen);
      },
      // Keep the whole image; reduced sharpness isn't worth an error message.
      () => undefined,
    );
  return {
    object,
    follow: (camera) => {
      object.position.copy(camera.position);
      seen = camera;
      sharp?.follow(camera);
    },
    dispose: () => {
      isOver = true;
      sharp?.dispose();
      freePart(whole);
      resources.release(url, { asIs: true });
    },
  };
};

/**
 * Loads the surroundings by the template's model type. Panoramas are part of the initial bundle; others are loaded on
 * demand.
 */
async function drawSurroundings(context: StageContext, room: Room): Promise<Surroundings> {
  const type = room.template?.file ? room.template.model_type : 'grid';
  switch (type) {
    case 'pano':
      return drawPano(context, room);
    case 'model':
      return (await import('./model.ts')).drawModel(context, room);
    case 'grid':
      return (await import('./grid.ts')).drawGrid(context, room);
  }
}

/** A room's surroundings, background image and environment lighting. */
export class Environment {
  readonly #context: StageContext;
  readonly #fail: (error: unknown) => void;
  /** Inputs of the current or loading surroundings. */
  #drawn: readonly unknown[] = [];
  #surroundings: Surroundings | undefined;
  #light: Promise<() => void> | undefined;
  /** URL of the environment map; empty for the built-in one. */
  #lit: string | undefined;
  #background: Promise<Background> | undefined;
  #isOver = false;

  /** @param fail called with loading errors */
  constructor(context: StageContext, fail: (error: unknown) => void) {
    this.#context = context;
    this.#fail = fail;
  }

  /** The room's surroundings; undefined until loaded. */
  get surroundings(): Surroundings | undefined {
    return this.#surroundings;
  }

  /** Loads the surroundings if their inputs changed. */
  async show(room: Room): Promise<void> {
    const { template, width, height, depth } = room;
    const wanted = [template, width, height, depth];
    if (wanted.every((part, index) => part === this.#drawn[index])) return;
    this.#drawn = wanted;
    const { three, invalidate, transparent } = this.#context;
    const image = template?.background_file?.url;
    if (image && !transparent)
      this.#background ??= import('./background.ts').then(
        ({ Background }) => new Background(this.#context, this.#fail),
      );
    void this.#background?.then((background) => background.show(image));
    try {
      const surroundings = await drawSurroundings(this.#context, room);
      if (this.#isOver || this.#drawn !== wanted) {
        surroundings.dispose();
        return;
      }
      if (this.#surroundings) three.remove(this.#surroundings.object);
      this.#surroundings?.dispose();
      this.#surroundings = surroundings;
      three.add(surroundings.object);
      invalidate();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Adds environment lighting, once. @param url of an HDR image; empty for the built-in one */
  light(url: string): void {
    const { three, renderer, invalidate } = this.#context;
    this.#lit ??= url;
    this.#light ??= import('./image-based-light.ts')
      .then(({ addImageBasedLight }) => addImageBasedLight(three, renderer, url))
      .catch((error: unknown) => {
        this.#fail(error);
        return () => undefined;
      })
      .finally(invalidate);
  }

  /** Recreates environment lighting after a context loss. */
  relight(): void {
    const url = this.#lit;
    if (url === undefined) return;
    void this.#light?.then((remove) => remove());
    this.#light = undefined;
    this.light(url);
  }

  dispose(): void {
    this.#isOver = true;
    void this.#background?.then((background) => background.dispose());
    this.#surroundings?.dispose();
    void this.#light?.then((remove) => remove());
  }
}
