import type { WebGLRenderer } from 'three';

/** Quality levels, best first: fraction of the pixel ratio, and frames between shadow map updates. */
const LEVELS = [
  { pixels: 1, shadows: 1 },
  { pixels: 0.8, shadows: 2 },
  { pixels: 0.65, shadows: 4 },
  { pixels: 0.5, shadows: 8 },
] as const;
/** Minimum canvas pixels per CSS pixel at which text is readable. */
const READABLE = 0.75;
/**
 * Milliseconds per frame: above `slow` quality is lowered, below `fast` it may be raised; `longest` caps a
 * measurement.
 */
const FRAME = { slow: 28, fast: 19, longest: 250 } as const;
/**
 * Frames measured before changing the level: few before lowering, many before raising, doubled after each lowering.
 */
const FRAMES = { lower: 24, raise: 180, latest: 2880 } as const;
/**
 * A lower level must reduce the frame time to this fraction; otherwise the bottleneck is elsewhere, and it is
 * reverted.
 */
const GAIN = 0.9;
/** Milliseconds of rest before a frame is drawn in full quality. */
const STILL_TIME = 150;

/** Chooses a quality level from frame times. Independent of clocks and rendering. */
export class QualityJudge {
  /** Index of the level; 0 is the best. */
  level = 0;
  readonly #lowest: number;
  #sum = 0;
  #count = 0;
  #patience: number = FRAMES.raise;
  /** Mean frame time before the last lowering, until its effect is known. */
  #before: number | undefined;
  #isVain = false;

  /** @param lowest index of the lowest level */
  constructor(lowest: number = LEVELS.length - 1) {
    this.#lowest = lowest;
  }

  /**
   * Adds the duration of one frame in a continuous sequence.
   * @param milliseconds since the previous frame
   */
  take(milliseconds: number): void {
    this.#sum += Math.min(milliseconds, FRAME.longest);
    this.#count++;
    const mean = this.#sum / this.#count;
    if (this.#count >= FRAMES.lower) {
      if (this.#before !== undefined && mean > this.#before * GAIN) {
        this.#isVain = true;
        this.#move(-1);
      } else if (mean > FRAME.slow && this.level < this.#lowest && !this.#isVain) {
        this.#patience = Math.min(this.#patience * 2, FRAMES.latest);
        this.#move(1);
        this.#before = mean;
      } else if (mean > FRAME.fast || this.level === 0) this.#restart();
    }
    if (this.#count >= this.#patience && mean <= FRAME.fast && this.level > 0) this.#move(-1);
  }

  #move(by: number): void {
    this.level += by;
    this.#restart();
  }

  #restart(): void {
    this.#sum = 0;
    this.#count = 0;
    this.#before = undefined;
  }
}

/**
 * Adapts quality to the device while something moves, and uses full quality at rest. Shadow maps are kept while only
 * the camera moves.
 */
export class Quality {
  readonly #renderer: WebGLRenderer;
  readonly #redraw: () => void;
  #judge = new QualityJudge();
  #isOn = false;
  #whole = 1;
  #applied = 0;
  #frames = 0;
  #went = false;
  /** Whether something other than the camera has changed since shadow maps were rendered. */
  #isLitAnew = true;
  /** Time of the last prepared frame in milliseconds. */
  #at = 0;
  #rest: ReturnType<typeof setTimeout> | undefined;

  /** @param redraw requests a frame */
  constructor(renderer: WebGLRenderer, redraw: () => void) {
    this.#renderer = renderer;
    this.#redraw = redraw;
  }

  /** Resets to the renderer's pixel ratio. @param isOn whether quality may be lowered */
  configure(isOn: boolean): void {
    this.#whole = this.#renderer.getPixelRatio();
    this.#isOn = isOn;
    this.#applied = 0;
    this.#judge = new QualityJudge();
    this.#renderer.shadowMap.autoUpdate = false;
    this.#isLitAnew = true;
  }

  /**
   * Prepares the next frame.
   * @param goesOn whether more frames follow
   * @param isLitAnew whether shadows may have changed
   */
  prepare(goesOn: boolean, isLitAnew: boolean): void {
    this.#isLitAnew ||= isLitAnew;
    if (this.#isOn) this.#adapt(goesOn);
    // The last frame of a sequence shows where everything came to rest.
    if (!this.#isLitAnew || (goesOn && this.#frames++ % LEVELS[this.#applied]!.shadows > 0)) return;
    this.#isLitAnew = false;
    this.#renderer.shadowMap.needsUpdate = true;
  }

  #adapt(goesOn: boolean): void {
    clearTimeout(this.#rest);
    const now = performance.now();
    if (this.#went && goesOn) this.#judge.take(now - this.#at);
    this.#went = goesOn;
    this.#at = now;
    // A single frame is drawn in full quality; the last of a sequence keeps its level until the rest timer fires.
    if (goesOn) this.#apply(this.#judge.level);
    else if (this.#applied > 0) this.#rest = setTimeout(() => this.#sharpen(), STILL_TIME);
  }

  #sharpen(): void {
    this.#apply(0);
    this.#redraw();
  }

  #apply(level: number): void {
    if (level === this.#applied) return;
    this.#applied = level;
    const least = Math.min(this.#whole, READABLE);
    const ratio = Math.max(least, this.#whole * LEVELS[level]!.pixels);
    if (ratio !== this.#renderer.getPixelRatio()) this.#renderer.setPixelRatio(ratio);
  }

  dispose(): void {
    clearTimeout(this.#rest);
  }
}
