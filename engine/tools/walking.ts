import type { ArrowKey } from '../machines/transform.ts';
import { CAMERA_LIMITS } from '../stage/camera/limits.ts';
import type { FreeCamera } from './free-camera.ts';

/** Milliseconds between steps while an arrow key is held. */
const REPEAT = 100;

const DIRECTIONS: Readonly<Record<ArrowKey, readonly [forward: number, right: number]>> = {
  ArrowUp: [1, 0],
  ArrowDown: [-1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Walks while arrow keys are held. */
export class Walking {
  readonly #camera: FreeCamera;
  readonly #held = new Set<ArrowKey>();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(camera: FreeCamera) {
    this.#camera = camera;
  }

  press(key: ArrowKey): void {
    this.#held.add(key);
    this.#step();
    this.#timer ??= setInterval(() => this.#step(), REPEAT);
  }

  release(key: ArrowKey): void {
    this.#held.delete(key);
    if (this.#held.size === 0) this.stop();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#held.clear();
  }

  #step(): void {
    let [forward, right] = [0, 0];
    for (const key of this.#held) {
      forward += DIRECTIONS[key][0];
      right += DIRECTIONS[key][1];
    }
    this.#camera.walk(forward * CAMERA_LIMITS.step, right * CAMERA_LIMITS.step);
  }
}
