import type { Room } from '../../document/room.ts';
import type { StageContext } from '../context.ts';
import type { Background } from './background.ts';
import { drawSurroundings, type Surroundings } from './surroundings.ts';

/** What is around the elements of a room: what the room itself looks like, and the light that comes from all sides. */
export class Environment {
  readonly #context: StageContext;
  readonly #fail: (error: unknown) => void;
  /** What the surroundings that stand, or are on their way, were drawn from. */
  #drawn: readonly unknown[] = [];
  #surroundings: Surroundings | undefined;
  #light: Promise<() => void> | undefined;
  /** Address of the picture that lights the room; empty for the built-in light. */
  #lit: string | undefined;
  #background: Promise<Background> | undefined;
  #isOver = false;

  /** @param fail told what cannot be drawn */
  constructor(context: StageContext, fail: (error: unknown) => void) {
    this.#context = context;
    this.#fail = fail;
  }

  /** What the room itself looks like; undefined before that is drawn. */
  get surroundings(): Surroundings | undefined {
    return this.#surroundings;
  }

  /** Draws what the room itself looks like, where it differs from what is drawn. */
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

  /** Lights the room from all sides, once. @param url address of an HDR picture; empty takes the built-in light */
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

  /** Lights the room anew, where it was lit: what had been worked out went with the graphics context. */
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
