/** Milliseconds between ticks while idle: visibility windows are checked once a second. */
const IDLE_TICK = 1000;
/** Maximum time step in seconds, so that animation resumes where it was after a suspension. */
const MAX_STEP = 0.1;

/** Runs a step per frame while frames are needed, and one per second otherwise. */
export class FrameLoop {
  readonly #step: (dt: number) => boolean;
  #frame = 0;
  #last = 0;
  readonly #timer: ReturnType<typeof setInterval>;
  #paused = false;

  /** @param step receives the seconds since the last step; returns whether another frame is needed */
  constructor(step: (dt: number) => boolean) {
    this.#step = step;
    this.#timer = setInterval(() => this.request(), IDLE_TICK);
  }

  /** Requests a step at the next frame. */
  request(): void {
    if (this.#frame !== 0 || this.#paused) return;
    this.#frame = requestAnimationFrame((now) => {
      this.#frame = 0;
      const dt = Math.min((now - this.#last) / 1000, MAX_STEP);
      this.#last = now;
      if (this.#step(dt)) this.request();
    });
  }

  /** Pauses or resumes, for example after a context loss. */
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
