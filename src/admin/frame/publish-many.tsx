import { IconWorldUpload } from '@tabler/icons-react';
import type { Client } from '../../contract/client.ts';
import { showDone } from '../../ui/notifications.ts';
import { runBulk } from '../stores/bulk.ts';
import { countText } from '../stores/list-store.ts';
import type { BulkAction } from './BulkBar.tsx';

/**
 * Bulk action that publishes spaces in their current state.
 * @param spacesOf the spaces of the selected entries
 */
export const publishing = (
  client: Client,
  reload: () => Promise<unknown>,
  spacesOf: (ids: readonly number[]) => readonly number[] = (ids) => ids,
): BulkAction => ({
  label: 'Publish',
  icon: <IconWorldUpload size={16} aria-hidden />,
  question: 'Structures that show the published version then show the current edits.',
  run: async (ids, onProgress) => {
    const spaces = [...new Set(spacesOf(ids))];
    if (spaces.length === 0) return ['None of these structures shows a space.'];
    const { changed, problems } = await runBulk(client, spaces, { action: 'rooms.publish', onProgress });
    await reload();
    if (changed.length > 0) showDone(`${countText(changed.length, 'spaces')} published.`);
    return problems;
  },
});
