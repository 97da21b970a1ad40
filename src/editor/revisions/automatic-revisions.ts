import { reaction } from 'mobx';
import { AUTOMATIC_EVERY } from '../../contract/entities.ts';
import type { Editor } from '../session/editor-context.ts';

/**
 * Asks for a revision when a room is opened, and every ten minutes while it is edited. Whether one is made, the server
 * decides: it knows what others made meanwhile. One that fails is made the next time.
 * @returns ends it
 */
export function makeRevisions({ client, document, roomId }: Editor): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const make = () => client.revisions.create({ params: { id: roomId }, body: {} }).catch(() => undefined);
  void make();
  const stop = reaction(
    () => document.room,
    () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void make();
      }, AUTOMATIC_EVERY);
    },
  );
  return () => {
    stop();
    clearTimeout(timer);
  };
}
