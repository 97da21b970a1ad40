/** Milliseconds between ticks while nothing is drawn: windows of visibility are checked each second. */
const IDLE_TICK = 1000;
/** Longest step of an animation in seconds; after a sleep things go on where they were. */
const LONGEST_STEP = 0.1;

/**
 * Runs a step per frame while there is something to draw, and one per second while there is not.
 */
export class FrameLoop {
  readonly #step: (dt: number) => boolean;
  #frame = 0;
  #last = 0;
  readonly #timer: ReturnType<typeof setInterval>;
  #paused = false;

  /** @param step gets seconds since the last one; returns whether another frame should follow */
  constructor(step: (dt: number) => boolean) {
    this.#step = step;
    this.#timer = setInterval(() => this.request(), IDLE_TICK);
  }

  /** Asks for a step at the next frame. */
  request(): void {
    if (this.#frame !== 0 || this.#paused) return;
    this.#frame = requestAnimationFrame((now) => {
      this.#frame = 0;
      const dt = Math.min((now - this.#last) / 1000, LONGEST_STEP);
      this.#last = now;
      if (this.#step(dt)) this.request();
    });
  }

  /** Stops or goes on, as when there is nothing to draw on. */
  set paused(value: boolean) {
    this.#paused = value;
    if (value) {
      cancelAnimationFrame(this.#frame);
      this.#frame = 0;
    } else this.request();
  }

  dispose(): void {
    clearInterval(this.#timer);
    this.paused = true;
  }
}
