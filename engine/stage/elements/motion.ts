import { Group } from 'three';
import type { ElementOf } from '../../document/element.ts';
import type { ElementDrawing, StageContext } from '../context.ts';
import { loadClip, type MotionClip } from '../motion/clip.ts';
import { drawSkeleton, type Figure } from '../motion/figure.ts';
import { ClipStream } from '../motion/stream.ts';
import { boxOf } from './parts/box.ts';

type Motion = ElementOf<'motion'>;

/** What moves: the element's own model where its file is one, otherwise the bare skeleton. */
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

/** Address of a single clip: the file stands in for it only where it is no model. */
function clipUrl({ config, file }: Motion): string {
  const url = config.src || (file?.type === 'object' ? '' : config.file_url || file?.url);
  if (!url) throw new Error('The motion has no BVH file.');
  return url;
}

/** A figure moved by motion capture: by one clip that starts over, or by a stream of them. */
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
  /** Takes the clip that the scene plays; a stream's figure is made when its first clip is there. */
  const take = (n: number) => {
    const next = streamed?.clip(n);
    if (!next || next === clip) return;
    streamed!.forgetBefore(n);
    if (clip) clip = next;
    else void begin(next).catch((error: unknown) => context.fail(error, element.id));
  };
  return {
    object,
    tell: (event) => {
      // Of what stands still, the first pose is seen.
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
          // Frames of a clip are fewer than the screen's: the next one is waited for, unless time stands still.
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
