import type { StageContext } from '../context.ts';
import { loadClip, type MotionClip } from './clip.ts';

/** Backoff in milliseconds after a failed load; doubles with each failure. */
const STREAM_RETRY = { first: 5000, longest: 300_000 };

/** Clips of a stream, kept from the scene's request until the next one plays. */
export class ClipStream {
  readonly #context: StageContext;
  readonly #elementId: number;
  readonly #clips = new Map<number, MotionClip>();
  readonly #abort = new AbortController();
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  /** Whether a failure has been reported since the last successful load. */
  #failing = false;

  constructor(context: StageContext, elementId: number) {
    this.#context = context;
    this.#elementId = elementId;
  }

  /** A clip, once loaded. */
  clip(n: number): MotionClip | undefined {
    return this.#clips.get(n);
  }

  /**
   * Loads a clip and notifies the scene; retries on failure.
   * @param wait milliseconds before the retry
   */
  async load(n: number, url: string, wait = STREAM_RETRY.first): Promise<void> {
    const { signal } = this.#abort;
    try {
      const clip = await loadClip(url, signal);
      if (signal.aborted) return;
      this.#failing = false;
      this.#clips.set(n, clip);
      this.#context.send({ type: 'motion.loaded', element_id: this.#elementId, n, duration: clip.duration });
    } catch (error) {
      if (signal.aborted) return;
      if (!this.#failing) this.#context.fail(error, this.#elementId);
      this.#failing = true;
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        void this.load(n, url, Math.min(wait * 2, STREAM_RETRY.longest));
      }, wait);
      this.#timers.add(timer);
    }
  }

  /** Releases all clips before one. */
  forgetBefore(n: number): void {
    for (const known of this.#clips.keys()) if (known < n) this.#clips.delete(known);
  }

  dispose(): void {
    this.#abort.abort();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#clips.clear();
  }
}
