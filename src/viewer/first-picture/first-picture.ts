import type { NestedElement } from '../../../engine/document/element.ts';
import { directionOf, panoramaAt } from '../../../engine/document/places.ts';
import { fovFor } from '../../../engine/stage/camera/limits.ts';
import { between, openingPose, viewAlong } from '../../../engine/stage/camera/opening-view.ts';
import { pixelRatioOf } from '../../../engine/stage/rendering/pixel-ratio.ts';
import type { Arrival, OnArrival } from '../../../engine/stage/resources/load-progress.ts';
import { readBody } from '../../../engine/stage/resources/read-body.ts';
import { shownPanorama } from '../../../engine/stage/surroundings/shown-panorama.ts';
import type { PublicRoom } from '../../contract/entities.ts';
import { VISIT_DATA_ID, type VisitData } from '../../contract/visit-data.ts';
import { readPoseLink } from '../address/page-place.ts';
import { type Lens, Painter } from './painter.ts';

type ViewPoint = Extract<NestedElement, { element: 'view_point' }>;
type PublicPanorama = NonNullable<ReturnType<typeof panoramaAt>>;

/** A view point of a room; undefined if there is none with this id. */
function viewPointIn(elements: readonly NestedElement[], id: number | null): ViewPoint | undefined {
  for (const element of elements) {
    const found =
      element.id === id && element.element === 'view_point' ? element : viewPointIn(element.children ?? [], id);
    if (found) return found;
  }
  return undefined;
}

/** The first view of a room: its panorama, and the camera for an aspect ratio. */
interface FirstView {
  panorama: PublicPanorama;
  lensOf(aspect: number): Lens;
}

/**
 * First view of the room's panorama.
 * @param hash URL hash, which may be a deep link
 * @returns null without a panorama, with another one than the page's small copy shows, or if only the engine knows the view
 */
function firstView(room: PublicRoom, hash: string): FirstView | null {
  const { elements, template, config } = room;
  const link = readPoseLink(hash);
  const start = viewPointIn(elements, config.start_view_point_id);
  const point = (link && 'viewPoint' in link && viewPointIn(elements, link.viewPoint)) || start;
  const panorama = panoramaAt(point, template);
  if (!panorama || panorama.file.url !== panoramaAt(start, template)?.file.url) return null;
  const { view } = link && 'viewPoint' in link ? link : {};
  const turns = point && (!point.file || point.config.arrival_view === 'set');
  // Positions inside groups are known only to the engine.
  if (turns && !view && point.parent_element_id !== null) return null;
  const directionFor = (aspect: number) => {
    if (link && 'target' in link) return between(link.position, link.target);
    if (view) return directionOf(view.heading, view.pitch);
    if (!turns) return openingPose(room, aspect).direction;
    const { position_x: x, position_y: y, position_z: z } = point;
    return between({ x, y, z }, point.config.target_position);
  };
  const lensOf = (aspect: number) => {
    const fov = fovFor(config.camera, aspect);
    return {
      ...viewAlong(directionFor(aspect)),
      fov: config.camera.zoom ? Math.min(fov, view?.fov ?? fov) : fov,
      ratio: pixelRatioOf(room),
    };
  };
  return { panorama, lensOf };
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
  const view = room && firstView(room, location.hash);
  if (!preview || !view) return;
  const { url: address, width } = shownPanorama(view.panorama.file);

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
  const painter = new Painter(view.panorama, view.lensOf);
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
