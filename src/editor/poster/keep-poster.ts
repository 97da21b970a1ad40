import { reaction } from 'mobx';
import type { Editor } from '../session/editor-context.ts';

/** What the editor tells the window of when its space has been published: the poster is drawn then. */
export const POSTER_EVENT = 'enfilade-poster';

/** Milliseconds without an edit after which a space is drawn again. */
const QUIET = 20_000;

/**
 * Keeps the poster of a space as the space is: draws it when it has none, some time after the last edit was saved, and when
 * it is published. An image that somebody chose stays. What goes wrong is tried again with the next edit.
 * @returns ends it
 */
export function keepPoster({ client, document: edited, saving, roomId, font }: Editor): () => void {
  const params = { id: roomId };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  let isDrawing = false;
  const draw = async () => {
    const known = await client.rooms.readPoster({ params });
    if (isOver || known?.is_chosen) return;
    const { drawPoster } = await import('../../../engine/tools/camera/poster.ts');
    const image = await drawPoster(edited.room, font);
    if (isOver || !image) return;
    await client.rooms.drawPoster({ params, body: {}, files: { file: new File([image], 'poster') } });
  };
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(begin, QUIET);
  };
  const begin = () => {
    clearTimeout(timer);
    const isEmpty = edited.room.elements.length === 0 && !edited.room.template;
    if (isEmpty) return;
    // Nobody waits for it: it is drawn when somebody looks, and all is saved.
    if (isDrawing || document.hidden || saving.queue.waiting > 0) return wait();
    isDrawing = true;
    draw()
      .catch(() => undefined)
      .finally(() => {
        isDrawing = false;
      });
  };
  const stop = reaction(() => edited.room, wait);
  addEventListener(POSTER_EVENT, begin);
  client.rooms.readPoster({ params }).then(
    (poster) => {
      if (!poster && !isOver) wait();
    },
    () => undefined,
  );
  return () => {
    isOver = true;
    stop();
    clearTimeout(timer);
    removeEventListener(POSTER_EVENT, begin);
  };
}
