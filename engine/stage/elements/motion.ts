import { Group } from 'three';
import type { ElementOf } from '../../document/element.ts';
import type { ElementDrawing, StageContext } from '../context.ts';
import { loadClip, type MotionClip } from '../motion/clip.ts';
import { drawSkeleton, type Figure } from '../motion/figure.ts';
import { boxOf } from '../resources/box.ts';

/** Backoff in milliseconds after a failed load; doubles with each failure. */
const STREAM_RETRY = { first: 5000, longest: 300_000 };

/** Clips of a stream, kept from the scene's request until the next one plays. */
class ClipStream {
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

type Motion = ElementOf<'motion'>;

/** The figure to animate: the element's model, or a plain skeleton if its file isn't a model. */
async function drawFigure(context: StageContext, element: Motion, first: MotionClip): Promise<Figure> {
  const { file, ignore_light } = element;
  if (file?.type !== 'object') return drawSkeleton(first, boxOf(element), ignore_light);
  const [{ loadModel }, { drawPuppet }] = await Promise.all([
    import('../resources/gltf.ts'),
    import('../motion/puppet.ts'),
  ]);
  context.lightFromEnvironment();
  const model = await context.resources.track((onArrival) => loadModel(file.url, context.renderer, onArrival));
  model.fit(boxOf(element));
  model.shadows();
  try {
    return drawPuppet(model, first);
  } catch (error) {
    model.dispose();
    throw error;
  }
}

/** URL of a single clip; `file` is only a fallback if it isn't a model. */
function clipUrl({ config, file }: Motion): string {
  const url = config.src || (file?.type === 'object' ? '' : config.file_url || file?.url);
  if (!url) throw new Error('The motion has no BVH file.');
  return url;
}

/** A figure animated by motion capture, from one looping clip or a stream of clips. */
export const draw: ElementDrawing<Motion> = async (context, element, entity) => {
  const { stream, animate } = element.config;
  const object = new Group();
  const streamed = stream && animate ? new ClipStream(context, element.id) : undefined;
  let clip: MotionClip | undefined;
  let figure: Figure | undefined;
  let gone = false;
  let shownAt = Number.NaN;
  const begin = async (first: MotionClip) => {
    first.pose(0);
    clip = first;
    figure = await drawFigure(context, element, first);
    if (gone) {
      figure.dispose();
      return;
    }
    object.add(figure.object);
    context.invalidate();
  };
  if (!streamed) {
    const { signal } = new AbortController();
    await begin(await context.resources.track(() => loadClip(clipUrl(element), signal)));
  }
  /** Switches to the scene's current clip; a stream's figure is created with its first clip. */
  const take = (n: number) => {
    const next = streamed?.clip(n);
    if (!next || next === clip) return;
    streamed!.forgetBefore(n);
    if (clip) clip = next;
    else void begin(next).catch((error: unknown) => context.fail(error, element.id));
  };
  return {
    object,
    follow: (event) => {
      // With reduced motion, only the first pose is shown.
      if (event.type === 'motion.load' && (!context.reducedMotion || event.n === 0))
        void streamed?.load(event.n, event.url);
    },
    animate: animate
      ? () => {
          const now = context.scene.motion(entity);
          if (!now || now.clip < 0) return false;
          take(now.clip);
          if (!clip || !figure || context.reducedMotion) return false;
          if (clip.pose(now.seconds)) figure.follow(clip);
          // Clips have a lower frame rate than the screen: keep requesting frames unless time stands still.
          const moves = now.seconds !== shownAt;
          shownAt = now.seconds;
          return moves;
        }
      : undefined,
    dispose: () => {
      gone = true;
      streamed?.dispose();
      figure?.dispose();
    },
  };
};
