import { Frustum, Matrix4, type Scene, type Sphere } from 'three';
import type { StageContext } from '../context.ts';

/**
 * Milliseconds without input after which a disc stops at the end of its pulse, and after which it stops immediately.
 */
const PULSE_REST = { first: 5000, last: 10_000 } as const;
/** Visitor input over the room or its controls; camera moves are detected separately. */
const INPUTS = ['pointerdown', 'pointermove', 'keydown'] as const;

const view = new Matrix4();

/** Shared by all discs of a stage to decide whether they rest: an idle room requests no frames. */
class DiscRest {
  /** Number of registered discs. */
  users = 0;
  readonly #context: StageContext;
  readonly #abort = new AbortController();
  readonly #frustum = new Frustum();
  readonly #view = new Matrix4();
  /** Time of the last input in milliseconds. */
  #input = performance.now();

  constructor(context: StageContext) {
    this.#context = context;
    const onInput = () => {
      this.#input = performance.now();
    };
    const { signal } = this.#abort;
    for (const input of INPUTS) addEventListener(input, onInput, { capture: true, passive: true, signal });
  }

  /**
   * Whether a disc rests: out of view, or idle for some time. Never while room time is frozen, so that images of one
   * moment are identical.
   * @param place of the disc in the room
   * @param mayEnd whether no pulse is in progress
   */
  rests(place: Sphere, mayEnd: boolean): boolean {
    const { camera, isHeld } = this.#context;
    if (isHeld()) return false;
    view.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    if (!view.equals(this.#view)) {
      this.#view.copy(view);
      this.#frustum.setFromProjectionMatrix(view);
      this.#input = performance.now();
    }
    const idle = performance.now() - this.#input;
    return idle > (mayEnd ? PULSE_REST.first : PULSE_REST.last) || !this.#frustum.intersectsSphere(place);
  }

  dispose(): void {
    this.#abort.abort();
  }
}

const rests = new WeakMap<Scene, DiscRest>();

/** Registers a disc. @returns the shared state, and a function that unregisters the disc */
export function restOf(context: StageContext): { rest: DiscRest; leave: () => void } {
  const rest = rests.get(context.three) ?? new DiscRest(context);
  rests.set(context.three, rest);
  rest.users++;
  const leave = () => {
    if (--rest.users > 0) return;
    rests.delete(context.three);
    rest.dispose();
  };
  return { rest, leave };
}
