import type { Client } from '../../contract/client.ts';
import type { ChangedEntity } from '../../contract/entities.ts';
import { showNotification, showProblem } from '../../ui/notifications.ts';

/**
 * Offers to restore what has just been removed: the bin keeps it for 30 days.
 * @param reload shows that it is there again
 */
export async function offerUndo(
  client: Client,
  entity: ChangedEntity,
  id: number,
  reload: () => Promise<unknown>,
): Promise<void> {
  const query = { entity, entity_id: id, per_page: 1 };
  const found = await client.bin.list({ query }).then(
    ({ data }) => data[0],
    // What cannot be found in the bin cannot be offered, and the removal itself went well.
    () => undefined,
  );
  if (!found?.may_restore) return;
  showNotification('It stays in the bin for 30 days.', {
    label: 'Undo',
    act: () =>
      void client.history
        .restore({ params: { id: found.id } })
        .then(reload)
        .catch(showProblem),
  });
}
