import type { WebGLRenderer } from 'three';

/** From the best on: drawn pixels as part of the whole, and after how many frames shadows are drawn anew. */
const LEVELS = [
  { pixels: 1, shadows: 1 },
  { pixels: 0.8, shadows: 2 },
  { pixels: 0.65, shadows: 4 },
  { pixels: 0.5, shadows: 8 },
] as const;
/** Fewest drawn pixels per CSS pixel at which words can still be read. */
const READABLE = 0.75;
/** Milliseconds per frame above which a level is too dear, below which a better one may be tried, and at most counted. */
const FRAME = { slow: 28, fast: 19, longest: 250 } as const;
/** Frames that are looked at before a level is left: downwards soon, upwards late, and ever later after each fall. */
const FRAMES = { lower: 24, raise: 180, latest: 2880 } as const;
/** Part of the time that a lower level must save to be worth it; what is slow for another reason stays sharp. */
const GAIN = 0.9;
/** Milliseconds of rest after which everything is drawn as well as it can be. */
const STILL_TIME = 150;

/**
 * Judges by the time that frames take how well the next ones are drawn. Free of clocks and graphics.
 */
export class QualityJudge {
  /** Number of the level, 0 the best. */
  level = 0;
  readonly #lowest: number;
  #sum = 0;
  #count = 0;
  #patience: number = FRAMES.raise;
  /** Mean time before the last step down, while it is not known whether that helped. */
  #before: number | undefined;
  #isVain = false;

  /** @param lowest number of the lowest level */
  constructor(lowest: number = LEVELS.length - 1) {
    this.#lowest = lowest;
  }

  /**
   * Takes the time of one frame among others that followed each other.
   * @param milliseconds since the frame before
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

/** Draws as well as the device can keep up with while something moves, and as well as possible when it rests. */
export class Quality {
  readonly #renderer: WebGLRenderer;
  readonly #redraw: () => void;
  #judge = new QualityJudge();
  #isOn = false;
  #whole = 1;
  #applied = 0;
  #frames = 0;
  #went = false;
  /** When the last frame was prepared, in milliseconds. */
  #at = 0;
  #rest: ReturnType<typeof setTimeout> | undefined;

  /** @param redraw asks for a frame */
  constructor(renderer: WebGLRenderer, redraw: () => void) {
    this.#renderer = renderer;
    this.#redraw = redraw;
  }

  /** Takes over the pixel ratio that the renderer has. @param isOn whether it may go below that */
  configure(isOn: boolean): void {
    this.#whole = this.#renderer.getPixelRatio();
    this.#isOn = isOn;
    this.#applied = 0;
    this.#judge = new QualityJudge();
    this.#renderer.shadowMap.autoUpdate = true;
  }

  /** Prepares the next frame. @param goesOn whether another one follows */
  prepare(goesOn: boolean): void {
    if (!this.#isOn) return;
    clearTimeout(this.#rest);
    const now = performance.now();
    if (this.#went && goesOn) this.#judge.take(now - this.#at);
    this.#went = goesOn;
    this.#at = now;
    // A single frame is drawn well; the last of many keeps its level until the rest after it.
    if (goesOn) this.#apply(this.#judge.level);
    else if (this.#applied > 0) this.#rest = setTimeout(() => this.#sharpen(), STILL_TIME);
    const { shadows } = LEVELS[this.#applied]!;
    const { shadowMap } = this.#renderer;
    shadowMap.autoUpdate = shadows === 1;
    shadowMap.needsUpdate = this.#frames++ % shadows === 0;
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
