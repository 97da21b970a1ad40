import type { Room } from '../../../engine/document/room.ts';
import { shownElements } from '../../../engine/document/tree.ts';
import { createScene } from '../../../engine/scene/scene.ts';
import { dressWithCards } from '../../../engine/stage/headset/dress-with-cards.ts';
import { Stage } from '../../../engine/stage/stage.ts';

/** Pixels of a poster: those that link previews ask for. */
const SIZE = { width: 1200, height: 630 } as const;
/** Milliseconds that a space may take to be loaded. */
const LONGEST = 30_000;

/**
 * Draws what visitors see of a space when they come in, on a stage of its own, beside the page.
 * @param font address of the organization's font
 * @returns the image; null where the browser cannot draw it, or it takes too long
 */
export async function drawPoster(room: Room, font: string): Promise<Blob | null> {
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
  const timer = setTimeout(() => resolve(false), LONGEST);
  let stage: Stage | undefined;
  try {
    stage = new Stage({ container, scene, time: () => 0, font, edit: true, handlers: { ready: () => resolve(true) } });
    if (!(await promise)) return null;
    const picture = await stage.pictureFrom(stage.camera, SIZE.width, SIZE.height, dressWithCards);
    return picture && (await new Promise<Blob | null>((done) => picture.toBlob(done, 'image/webp', 0.9)));
  } catch {
    // Where there is no WebGL, the canvas of the editor has said so.
    return null;
  } finally {
    clearTimeout(timer);
    stage?.dispose();
    scene.dispose();
    container.remove();
  }
}
