import type { StageContext } from '../context.ts';
import { loadClip, type MotionClip } from './clip.ts';

/** Milliseconds after which a clip that could not be loaded is asked for again: twice as long each time. */
const STREAM_RETRY = { first: 5000, longest: 300_000 };

/** Clips of a stream, held from when the scene asks for them until the next one plays. */
export class ClipStream {
  readonly #context: StageContext;
  readonly #elementId: number;
  readonly #clips = new Map<number, MotionClip>();
  readonly #abort = new AbortController();
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  /** Whether it has been said that the stream fails, and no clip has come since. */
  #failing = false;

  constructor(context: StageContext, elementId: number) {
    this.#context = context;
    this.#elementId = elementId;
  }

  /** A clip, once it is there. */
  clip(n: number): MotionClip | undefined {
    return this.#clips.get(n);
  }

  /**
   * Loads a clip and says so; one that fails is tried again, for a stream does not end with one fault.
   * @param wait milliseconds until the next try, should this one fail
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

  /** Releases the clips before one. */
  forgetBefore(n: number): void {
    for (const known of this.#clips.keys()) if (known < n) this.#clips.delete(known);
  }

  dispose(): void {
    this.#abort.abort();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#clips.clear();
  }
}
