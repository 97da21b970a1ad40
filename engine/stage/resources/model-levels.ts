import { Group, Matrix4 } from 'three';
import { LEVEL_SIDES, levelUrl, type ModelLevel } from '../../document/small-copy.ts';
import type { ElementView, StageContext } from '../context.ts';
import { loadAnyModel } from './any-model.ts';
import type { Model } from './gltf.ts';
import { seenDiagonal, viewpointOf } from './seen-width.ts';

/** Factor below the limit of a coarser level at which it replaces a finer one, so that levels don't alternate. */
const SLACK = 1.25;

/**
 * The level of detail to draw, from 1, the finest coarser one; 0 is the model itself.
 * @param levels coarser levels, finest first
 * @param pixels displayed length of the diagonal of the model's bounds; the projected error of a level is
 * `pixels × error ÷ diagonal`, and `ModelLevel.pixels` the length at which it reaches one pixel
 * @param current the level that is drawn, kept unless a coarser one is clearly enough
 */
export function levelFor(levels: readonly ModelLevel[], pixels: number, current?: number): number {
  const coarsest = (seen: number) => levels.findLastIndex((level) => seen <= level.pixels) + 1;
  const wanted = coarsest(pixels);
  if (current === undefined || wanted <= current) return wanted;
  return Math.max(coarsest(pixels * SLACK), current);
}

/** Levels assumed before the first file has arrived, which lists the actual ones. */
const ASSUMED: readonly ModelLevel[] = LEVEL_SIDES.map((pixels) => ({ pixels }));

/** Parts of an element that its levels of detail depend on. */
interface Detailed {
  url: string;
  entity: number;
  elementId: number;
  /** Estimate of the diagonal of the model's bounds in local units, until it is loaded. */
  diagonal: number;
  isAnimated: boolean;
  /** Prepares each level alike, when it is loaded. */
  prepare(model: Model): void;
}

/** A model that is drawn in the level of detail that its size on screen needs. Its levels are loaded when first drawn. */
class DetailedModel {
  readonly object = new Group();
  readonly #context: StageContext;
  readonly #of: Detailed;
  readonly #loaded = new Map<number, { model: Model; tick: (() => boolean) | undefined }>();
  readonly #world = new Matrix4();
  #diagonal: number;
  #levels: readonly ModelLevel[] = ASSUMED;
  #current: number | undefined;
  #isLoading = false;
  #isOver = false;

  constructor(context: StageContext, of: Detailed) {
    this.#context = context;
    this.#of = of;
    this.#diagonal = of.diagonal;
  }

  /** The level to draw now. */
  get #wanted(): number {
    const { scene, camera, renderer } = this.#context;
    scene.worldMatrix(this.#of.entity, this.#world.elements);
    const view = viewpointOf(camera, renderer.domElement.height);
    return levelFor(this.#levels, seenDiagonal(view, this.#world, this.#diagonal), this.#current);
  }

  /** Loads the first level. @throws if it can't be loaded */
  async start(): Promise<void> {
    // Without that level, the server sends the model itself.
    const model = await this.#load(this.#wanted);
    this.#levels = model.levels;
    this.#diagonal = model.size.length() * model.object.scale.x;
    this.#show(model.level);
  }

  /** Loads a level, or the one that the server sends instead. */
  async #load(level: number): Promise<Model> {
    const { url, prepare, isAnimated } = this.#of;
    const model = await loadAnyModel(this.#context, levelUrl(url, level));
    const known = this.#loaded.get(model.level);
    if (this.#isOver || known) {
      model.dispose();
      return known?.model ?? model;
    }
    prepare(model);
    this.#loaded.set(model.level, { model, tick: isAnimated ? model.play(this.#context.phase) : undefined });
    return model;
  }

  #show(level: number): void {
    const { model, tick } = this.#loaded.get(level)!;
    this.#current = level;
    tick?.();
    this.object.clear().add(model.object);
    this.#context.invalidate();
  }

  /** Draws another level, if the model's size on screen needs it. */
  async match(): Promise<void> {
    if (this.#isLoading || this.#isOver || this.#levels.length === 0) return;
    const level = this.#wanted;
    if (level === this.#current) return;
    this.#isLoading = true;
    try {
      const shown = this.#loaded.has(level) ? level : (await this.#load(level)).level;
      if (this.#isOver) return;
      this.#show(shown);
      // A level may be missing by now: the server sends the model itself.
      if (shown !== level) this.#levels = [];
    } catch {
      // The level that is drawn stays until the next check.
      return;
    } finally {
      this.#isLoading = false;
    }
    // The camera may have moved meanwhile.
    await this.match();
  }

  /** Advances the animation of the level that is drawn; undefined without one. */
  get animate(): (() => boolean) | undefined {
    const tick = () => this.#loaded.get(this.#current!)?.tick;
    return tick() && (() => tick()?.() ?? false);
  }

  dispose(): void {
    this.#isOver = true;
    for (const { model } of this.#loaded.values()) model.dispose();
  }
}

/**
 * Draws a model in levels of detail.
 * @throws if it can't be loaded
 */
export async function drawInLevels(context: StageContext, of: Detailed): Promise<ElementView> {
  const model = new DetailedModel(context, of);
  await model.start();
  const match = () => model.match();
  context.resources.wait(match());
  return { object: model.object, animate: model.animate, matchSize: match, dispose: () => model.dispose() };
}
