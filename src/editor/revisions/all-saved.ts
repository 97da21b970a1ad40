import { when } from 'mobx';
import { showNotification } from '../../ui/notifications.ts';
import type { SavingStore } from '../saving/saving-store.ts';

/**
 * Waits until every edit is saved, so that what the server does next is done to what is shown here.
 * @returns false, and says why, where saving waits for something itself
 */
export async function allSaved({ queue }: SavingStore): Promise<boolean> {
  await when(() => queue.waiting === 0 || !['idle', 'sending'].includes(queue.state));
  if (queue.waiting === 0) return true;
  showNotification('Some edits are not saved yet. Try again once they are.');
  return false;
}
