import type { Client } from '../../contract/client.ts';
import type { BulkActionName } from '../../contract/entities.ts';
import { showNotification, showProblem, showProblemText } from '../../ui/notifications.ts';
import { type BulkRun, runBulk } from './run-bulk.ts';

/** A boolean state of entries. */
export interface Switch {
  client: Client;
  /** Bulk actions for on and off. */
  actions: { on: BulkActionName; off: BulkActionName };
  /** Reloads the list. */
  reload(): Promise<void>;
  /** Notification text: the number switched, such as "2 users deactivated.", or that all were already. */
  words(on: boolean, count: number): string;
}

/**
 * Switches entries in one job and offers undo, which leaves unchanged entries alone.
 * @returns messages about entries that were not changed
 */
export async function switchMany(
  ids: readonly number[],
  on: boolean,
  wanted: Switch,
  onProgress?: BulkRun['onProgress'],
): Promise<string[]> {
  const { on: onAction, off: offAction } = wanted.actions;
  const { changed, problems } = await runBulk(wanted.client, ids, { action: on ? onAction : offAction, onProgress });
  await wanted.reload();
  const undo = async () => {
    for (const problem of await switchMany(changed, !on, wanted)) showProblemText(problem);
  };
  const text = wanted.words(on, changed.length);
  if (changed.length > 0) showNotification(text, { label: 'Undo', act: () => void undo().catch(showProblem) });
  else if (problems.length === 0) showNotification(text);
  return problems;
}
