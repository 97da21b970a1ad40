import { reaction } from 'mobx';
import type { Editor } from '../session/editor-context.ts';

/** Window event after publishing, which triggers drawing the poster. */
export const POSTER_EVENT = 'enfilade-poster';

/** Milliseconds without an edit before the poster is drawn again. */
const QUIET = 20_000;

/**
 * Keeps the poster of a space up to date: draws it if it is missing, some time after the last edit was saved, and after
 * publishing. A chosen image is never replaced. Failures are retried after the next edit.
 * @returns a function that stops it
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
    // The poster is not urgent: it is drawn once the page is visible and all edits are saved.
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
