import type { Room } from '../document/room.ts';
import type { StageContext } from './context.ts';
import { drawSurroundings, type Surroundings } from './surroundings/surroundings.ts';

/** What is around the elements of a room: what the room itself looks like, and the light that comes from all sides. */
export class Around {
  readonly #context: StageContext;
  readonly #fail: (error: unknown) => void;
  /** What the surroundings that stand, or are on their way, were drawn from. */
  #drawn: readonly unknown[] = [];
  #surroundings: Surroundings | undefined;
  #light: Promise<() => void> | undefined;
  /** Address of the background image that stands, or is on its way. */
  #backgroundUrl: string | undefined;
  #removeBackground: (() => void) | undefined;
  #isOver = false;

  /** @param fail told what can't be drawn */
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
    void this.#showBackground(template?.background_file?.url);
    const { three, invalidate } = this.#context;
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

  /** Shows the room's background image; the one so far stays until another one is there. */
  async #showBackground(url: string | undefined): Promise<void> {
    const { container, resources, transparent } = this.#context;
    if (transparent || url === this.#backgroundUrl) return;
    this.#backgroundUrl = url;
    let remove: (() => void) | undefined;
    try {
      if (url)
        remove = await resources.track(
          import('./surroundings/background.ts').then(({ showBackground }) => showBackground(container, url)),
        );
    } catch (error) {
      this.#fail(error);
    }
    if (this.#isOver || this.#backgroundUrl !== url) {
      remove?.();
      return;
    }
    this.#removeBackground?.();
    this.#removeBackground = remove;
  }

  /** Lights the room from all sides, once. @param url address of an HDR picture; empty takes the built-in light */
  light(url: string): void {
    const { three, renderer, invalidate } = this.#context;
    this.#light ??= import('./environment.ts')
      .then(({ lightEnvironment }) => lightEnvironment(three, renderer, url))
      .catch((error: unknown) => {
        this.#fail(error);
        return () => undefined;
      })
      .finally(invalidate);
  }

  dispose(): void {
    this.#isOver = true;
    this.#removeBackground?.();
    this.#surroundings?.dispose();
    void this.#light?.then((remove) => remove());
  }
}
