import { Frustum, Matrix4, type Scene, type Sphere } from 'three';
import type { StageContext } from '../context.ts';

/** Milliseconds without a visitor's input after which a disc rests when its pulse ends, and after which it rests anyway. */
const PULSE_REST = { first: 5000, last: 10_000 } as const;
/** What a visitor does, over the room or its controls; what moves the camera is noticed by the camera. */
const INPUTS = ['pointerdown', 'pointermove', 'keydown'] as const;

const view = new Matrix4();

/** What all discs of a stage look at to know whether they rest: a room without activity draws nothing. */
class DiscRest {
  /** Discs that ask. */
  users = 0;
  readonly #context: StageContext;
  readonly #abort = new AbortController();
  readonly #frustum = new Frustum();
  readonly #view = new Matrix4();
  /** When a visitor last did something, in milliseconds. */
  #input = performance.now();

  constructor(context: StageContext) {
    this.#context = context;
    const note = () => {
      this.#input = performance.now();
    };
    const { signal } = this.#abort;
    for (const input of INPUTS) addEventListener(input, note, { capture: true, passive: true, signal });
  }

  /**
   * Whether a disc rests: out of view, or some time after the last input. Where room time is held it never does, so that
   * a picture of one moment is always the same.
   * @param place of the disc in the room
   * @param mayEnd whether no pulse is under way
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

/** Joins the discs of a stage. @returns what they look at, and what takes one away */
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
