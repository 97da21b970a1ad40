import { panoramaOf } from '../../../engine/document/panorama.ts';
import type { Arrival, OnArrival } from '../../../engine/stage/resources/load-progress.ts';
import { readBody } from '../../../engine/stage/resources/read-body.ts';
import { VISIT_DATA_ID, type VisitData } from '../../contract/visit-data.ts';
import { openingLens } from './opening-lens.ts';
import { Painter } from './painter.ts';

/** What stands on the page before the engine, and what the engine takes over from it. */
export interface FirstPicture {
  /**
   * The picture at an address, rows from the top, once and if it is this one; whoever takes it closes it, and is told how
   * far it has come.
   */
  take(url: string, onArrival: OnArrival): Promise<ImageBitmap> | undefined;
  /** Takes it off the page: the engine draws now, or nothing will. */
  end(): void;
}

declare global {
  interface Window {
    firstPicture?: FirstPicture | undefined;
  }
}

/** Milliseconds for which the small copy waits for the picture to arrive. */
const GRACE = 30;
/** Milliseconds for which the engine waits to learn whether the picture comes at once. */
const PAINT_TIMEOUT = 100;

/** The engine: its entry, and what that needs. */
const scripts = document.currentScript!.dataset.scripts!.split(' ');

/** Runs the engine: all of its scripts come at once. */
function start(): void {
  for (const href of scripts) {
    const link = document.createElement('link');
    Object.assign(link, { rel: 'modulepreload', crossOrigin: 'anonymous', href });
    document.head.append(link);
  }
  void import(/* @vite-ignore */ scripts[0]!);
}

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function decode(blob: Blob, width: number | null, maxSize: number): Promise<ImageBitmap> {
  const options: ImageBitmapOptions = { premultiplyAlpha: 'none' };
  return (width ?? 0) > maxSize
    ? createImageBitmap(blob, { ...options, resizeWidth: maxSize, resizeQuality: 'high' })
    : createImageBitmap(blob, options);
}

/** The picture behind the entrance of a room without a panorama goes when the room is drawn. */
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
 * Paints the room's panorama: the small copy that came with the page at once, the picture itself as soon as it comes.
 * @returns fulfilled when the engine may begin without being in the way
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
  // Where it fails before anybody has asked for it, that is no error of the page.
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
  // A picture that is here already is decoded meanwhile; painting would keep it from beginning.
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
    },
    // The engine asks for it again, and says that it cannot be had.
    () => undefined,
  );
  // While the picture is on its way the engine can begin; once it is there, the engine would be in its way.
  if (await Promise.race([arrived, wait(PAINT_TIMEOUT)])) await painted;
}

awaitRoom();
paint()
  // The room opens without it, and says what is wrong where something is.
  .catch(() => undefined)
  .finally(start);
