import type { Room } from '../../document/room.ts';
import { shownElements } from '../../document/tree.ts';
import { createScene } from '../../scene/scene.ts';
import { dressWithCards } from '../../stage/headset/cards.ts';
import { Stage } from '../../stage/stage.ts';

/** Size of a poster in pixels, as recommended for link previews. */
const SIZE = { width: 1200, height: 630 } as const;
/** Loading timeout in milliseconds. */
const TIMEOUT = 30_000;

/**
 * Renders a space's initial view on an offscreen stage.
 * @param font URL of the organization's font
 * @param signal aborts without an image
 * @returns the image; null on failure or timeout
 */
export async function drawPoster(room: Room, font: string, signal?: AbortSignal): Promise<Blob | null> {
  if (signal?.aborted) return null;
  const container = document.createElement('div');
  container.inert = true;
  Object.assign(container.style, {
    position: 'fixed',
    left: '-20000px',
    top: '0',
    width: `${SIZE.width}px`,
    height: `${SIZE.height}px`,
  });
  document.body.append(container);
  const scene = createScene({ ...room, elements: shownElements(room.elements) });
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), TIMEOUT);
  const stop = () => resolve(false);
  signal?.addEventListener('abort', stop);
  let stage: Stage | undefined;
  try {
    stage = new Stage({ container, scene, time: () => 0, font, edit: true, handlers: { ready: () => resolve(true) } });
    if (!(await promise)) return null;
    const picture = await stage.pictureFrom(stage.camera, SIZE.width, SIZE.height, dressWithCards);
    return picture && (await new Promise<Blob | null>((done) => picture.toBlob(done, 'image/webp', 0.9)));
  } catch {
    // Without WebGL; the caller reports it.
    return null;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    stage?.dispose();
    scene.dispose();
    container.remove();
  }
}
