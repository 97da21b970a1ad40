import { reaction, when } from 'mobx';
import { AUTOMATIC_REVISION_INTERVAL } from '../../contract/entities.ts';
import { showNotification } from '../../ui/notifications.ts';
import type { SavingStore } from '../saving/saving-store.ts';
import type { Editor } from '../session/editor-context.ts';

/**
 * Waits until every edit is saved, so that the server's next operation includes all of them.
 * @returns false, after notifying the user, if saving is blocked
 */
export async function allSaved({ queue }: SavingStore): Promise<boolean> {
  await when(() => queue.waiting === 0 || !['idle', 'sending'].includes(queue.state));
  if (queue.waiting === 0) return true;
  showNotification('Some edits are not saved yet. Try again once they are.');
  return false;
}

/**
 * Requests a revision when a room is opened, and every ten minutes during editing. The server decides whether to create
 * one, because it knows the edits of others. Failures are retried at the next interval.
 * @returns a function that stops it
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
      }, AUTOMATIC_REVISION_INTERVAL);
    },
  );
  return () => {
    stop();
    clearTimeout(timer);
  };
}
