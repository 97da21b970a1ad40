import type { SceneEvent } from '../../scene/scene.ts';
import type { StageContext } from '../context.ts';
import type { Markers } from './markers.ts';

/** The markers of other visitors, whose drawing is loaded with the first of them. */
export class LateMarkers {
  readonly #context: StageContext;
  #loading: Promise<Markers> | undefined;
  #markers: Markers | undefined;
  #isOver = false;

  constructor(context: StageContext) {
    this.#context = context;
  }

  /** Takes what the scene tells about one. */
  async tell(event: SceneEvent): Promise<void> {
    this.#loading ??= import('./markers.ts').then(({ Markers }) => new Markers(this.#context));
    const markers = await this.#loading;
    if (this.#isOver) return;
    this.#markers = markers;
    markers.tell(event);
  }

  /** Puts them where the scene says that they stand. */
  place(): void {
    this.#markers?.place();
  }

  dispose(): void {
    this.#isOver = true;
    void this.#loading?.then((markers) => markers.dispose());
  }
}
