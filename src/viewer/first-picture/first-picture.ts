import type { NestedElement } from '../../../engine/document/element.ts';
import { panoramaOf } from '../../../engine/document/panorama.ts';
import { fovFor } from '../../../engine/stage/camera/limits.ts';
import { openingPose, viewAlong } from '../../../engine/stage/camera/opening-view.ts';
import { pixelRatioOf } from '../../../engine/stage/rendering/pixel-ratio.ts';
import type { Arrival, OnArrival } from '../../../engine/stage/resources/load-progress.ts';
import { readBody } from '../../../engine/stage/resources/read-body.ts';
import type { PublicRoom } from '../../contract/entities.ts';
import { VISIT_DATA_ID, type VisitData } from '../../contract/visit-data.ts';
import { readPoseLink } from '../address/page-place.ts';
import { type Lens, Painter } from './painter.ts';

/** Direction from a view point to its target. Positions inside groups are known only to the engine. */
function fromViewPoint(elements: readonly NestedElement[], id: number) {
  const found = elements.find((element) => element.id === id);
  if (found?.element !== 'view_point') return null;
  const { x, y, z } = found.config.target_position;
  return { x: x - found.position_x, y: y - found.position_y, z: z - found.position_z };
}

/** Direction of a deep link; null if it requires the engine, undefined without a link. */
function linkedDirection(room: PublicRoom, hash: string) {
  const link = readPoseLink(hash);
  if (!link) return undefined;
  if ('viewPoint' in link) return fromViewPoint(room.elements, link.viewPoint);
  const { position, target } = link;
  return { x: target.x - position.x, y: target.y - position.y, z: target.z - position.z };
}

/**
 * First view of the room's panorama.
 * @param hash URL hash, which may be a deep link
 * @returns a function of the aspect ratio; null if only the engine knows the view
 */
function openingLens(room: PublicRoom, hash: string): ((aspect: number) => Lens) | null {
  const linked = linkedDirection(room, hash);
  if (linked === null) return null;
  return (aspect) => ({
    ...viewAlong(linked ?? openingPose(room, aspect).direction),
    fov: fovFor(room.config.camera, aspect),
    ratio: pixelRatioOf(room),
  });
}

/** The picture shown before the engine loads, handed over to it. */
export interface FirstPicture {
  /**
   * Returns the image for a URL, rows from the top, once and only if it matches. The caller closes it; progress is reported.
   */
  take(url: string, onArrival: OnArrival): Promise<ImageBitmap> | undefined;
  /** Removes it: the engine renders now, or never will. */
  end(): void;
}

declare global {
  interface Window {
    firstPicture?: FirstPicture | undefined;
  }
}

/** Time in milliseconds that the small copy waits for the full picture. */
const GRACE = 30;
/** Time in milliseconds that the engine waits to see whether the picture loads at once. */
const PAINT_TIMEOUT = 100;
/** Time in milliseconds that the loaded engine waits for a picture that should arrive within it. */
const PATIENCE = 800;

/** Engine entry script and its dependencies. */
const scripts = document.currentScript!.dataset.scripts!.split(' ');

/** Loads the engine's scripts without running them. */
const preload = (): Promise<unknown> =>
  Promise.all(
    scripts.map(
      (href) =>
        new Promise<unknown>((resolve) => {
          const link = document.createElement('link');
          Object.assign(link, {
            rel: 'modulepreload',
            crossOrigin: 'anonymous',
            href,
            onload: resolve,
            onerror: resolve,
          });
          document.head.append(link);
        }),
    ),
  );

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Starts the engine. If it still can't be loaded after all tries, the page offers to reload. */
async function start(tries = 3): Promise<void> {
  void preload();
  try {
    await import(/* @vite-ignore */ scripts[0]!);
  } catch (error) {
    // A sandboxed frame may not load scripts of its own site.
    if (tries === 0 || origin === 'null') {
      const lost = document.getElementById('lost')!;
      const button = lost.querySelector('button')!;
      button.textContent = lost.dataset[navigator.language.slice(0, 2)] ?? button.textContent;
      button.onclick = () => location.reload();
      lost.hidden = false;
      throw error;
    }
    await wait(1000);
    await start(tries - 1);
  }
}

async function decode(blob: Blob, width: number | null, maxSize: number): Promise<ImageBitmap> {
  const options: ImageBitmapOptions = { premultiplyAlpha: 'none' };
  return (width ?? 0) > maxSize
    ? createImageBitmap(blob, { ...options, resizeWidth: maxSize, resizeQuality: 'high' })
    : createImageBitmap(blob, options);
}

/** Removes the entrance backdrop of a room without panorama once the room is rendered. */
function awaitRoom(): void {
  const poster = document.getElementById('poster');
  if (!poster) return;
  const end = () => {
    poster.remove();
    window.firstPicture = undefined;
  };
  window.firstPicture = { take: () => undefined, end };
}

/**
 * Paints the room's panorama: first the inlined small copy, then the full picture.
 * @returns resolves when the engine may start without competing for resources
 */
async function paint(): Promise<void> {
  const { endpoint, preview }: VisitData = JSON.parse(document.getElementById(VISIT_DATA_ID)!.textContent);
  const room = endpoint?.room;
  const file = room?.template?.file;
  const lens = room && openingLens(room, location.hash);
  if (!preview || !file || !lens) return;
  const { url: address, width } = panoramaOf(file);

  const small = new Image();
  small.src = preview;
  const decoded = small.decode();
  let latest: Arrival | undefined;
  let tell: OnArrival | undefined;
  const since = performance.now();
  const loading = fetch(address).then((response) => {
    if (!response.ok) throw new Error();
    return readBody(response, (arrival) => {
      latest = arrival;
      tell?.(arrival);
    });
  });
  const container = document.getElementById('room')!;
  const painter = new Painter(lens);
  const whole = loading.then((blob) => decode(blob, width, painter.maxSize));
  // Avoid an unhandled rejection before the image is requested.
  whole.catch(() => undefined);
  const repaint = () => painter.paint();
  let isOver = false;
  let isTaken = false;
  window.firstPicture = {
    take: (url, onArrival) => {
      if (isTaken || url !== address) return undefined;
      isTaken = true;
      tell = onArrival;
      if (latest) tell(latest);
      return whole;
    },
    end: () => {
      isOver = true;
      window.firstPicture = undefined;
      removeEventListener('resize', repaint);
      painter.dispose();
      container.classList.remove('is-painted');
    },
  };

  await decoded;
  // Start decoding a cached picture first; painting would delay it.
  const arrived = loading.then(
    () => true,
    () => false,
  );
  await Promise.race([arrived, wait(GRACE)]);
  painter.show(small);
  container.prepend(painter.canvas);
  container.classList.add('is-painted');
  addEventListener('resize', repaint);
  const painted = whole.then(
    (bitmap) => {
      if (!isOver) painter.show(bitmap);
      performance.mark('enfilade:whole-picture');
      // Without a GPU, the engine's start would compete with drawing.
      return painter.finished();
    },
    // The engine requests it again and reports the error.
    () => undefined,
  );
  if (await Promise.race([arrived, wait(PAINT_TIMEOUT)])) return painted;
  // The engine loads while the picture downloads, but without a GPU its start would delay a picture that is nearly here.
  // Browsers without module preloading would never say that the scripts have loaded.
  if (!document.createElement('link').relList.supports('modulepreload')) return;
  await Promise.race([preload(), painted]);
  const { loaded, total } = latest ?? { loaded: 0, total: 0 };
  const remaining = ((performance.now() - since) * (total - loaded)) / loaded;
  if (total > 0 && remaining < PATIENCE) await Promise.race([painted, wait(2 * PATIENCE)]);
}

awaitRoom();
paint()
  // The room opens without it and reports errors.
  .catch(() => undefined)
  .finally(start);
