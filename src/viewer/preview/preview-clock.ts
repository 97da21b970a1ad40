import { makeObservable, observable, runInAction } from 'mobx';

/** Milliseconds after which the shown time is brought up to date. */
const REFRESH = 100;

/** The time of a previewed room: runs, stands, and is set freely; from 0, or before its start, to the end of its timeline. */
export class PreviewClock {
  /** Seconds from 0 to the end. */
  readonly length: number;
  /** The first moment that can be gone to: 0, or below it where visitors wait for the start. */
  readonly earliest: number;
  readonly #monotonic: () => number;
  /** Room time, and milliseconds of the page's clock, when the time was last set. */
  #from = 0;
  #at: number;
  #timer: ReturnType<typeof setInterval> | undefined;
  isPlaying = false;
  /** The time as shown, in seconds: brought up to date ten times a second. */
  shown = 0;

  /** @param monotonic milliseconds that only grow */
  constructor(length: number, monotonic: () => number, earliest = 0) {
    this.length = length;
    this.earliest = earliest;
    this.#monotonic = monotonic;
    this.#at = monotonic();
    makeObservable(this, { isPlaying: observable, shown: observable });
  }

  /** Whether the room has not begun. */
  get isBefore(): boolean {
    return this.shown < 0;
  }

  /** Room time in seconds. */
  now(): number {
    const passed = this.isPlaying ? (this.#monotonic() - this.#at) / 1000 : 0;
    return Math.min(this.#from + passed, this.length);
  }

  play(): void {
    if (this.isPlaying) return;
    // At the end there is nothing left: it begins anew.
    this.#set(this.now() >= this.length ? 0 : this.now());
    runInAction(() => (this.isPlaying = true));
    this.#timer = setInterval(() => this.#refresh(), REFRESH);
  }

  pause(): void {
    this.#set(this.now());
    clearInterval(this.#timer);
    runInAction(() => (this.isPlaying = false));
  }

  /** Goes to a time in seconds; beyond either end means that end. */
  seek(seconds: number): void {
    this.#set(Math.min(Math.max(seconds, this.earliest), this.length));
  }

  #set(seconds: number): void {
    this.#from = seconds;
    this.#at = this.#monotonic();
    runInAction(() => (this.shown = seconds));
  }

  #refresh(): void {
    const now = this.now();
    if (now >= this.length) this.pause();
    else runInAction(() => (this.shown = now));
  }

  dispose(): void {
    clearInterval(this.#timer);
  }
}
