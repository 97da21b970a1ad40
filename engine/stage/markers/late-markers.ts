import type { SceneEvent } from '../../scene/scene.ts';
import type { StageContext } from '../context.ts';
import type { Markers } from './markers.ts';

/** Markers of other visitors; the implementation is loaded with the first one. */
export class LateMarkers {
  readonly #context: StageContext;
  #loading: Promise<Markers> | undefined;
  #markers: Markers | undefined;
  #isOver = false;

  constructor(context: StageContext) {
    this.#context = context;
  }

  /** Handles marker events. */
  async follow(event: SceneEvent): Promise<void> {
    this.#loading ??= import('./markers.ts').then(({ Markers }) => new Markers(this.#context));
    const markers = await this.#loading;
    if (this.#isOver) return;
    this.#markers = markers;
    markers.follow(event);
  }

  /** Draws visitors again whose appearance changed. */
  restyle(): void {
    this.#markers?.restyle();
  }

  /** Updates marker positions from the scene. */
  place(): void {
    this.#markers?.place();
  }

  dispose(): void {
    this.#isOver = true;
    void this.#loading?.then((markers) => markers.dispose());
  }
}
