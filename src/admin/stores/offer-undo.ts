import type { Client } from '../../contract/client.ts';
import type { ChangedEntity } from '../../contract/entities.ts';
import { showNotification, showProblem } from '../../ui/notifications.ts';

/** Most things that are offered back together: each is looked for by itself. */
const MOST_OFFERED = 100;

/**
 * Offers to restore what has just been removed: the bin keeps it for 30 days.
 * @param ids of things of one kind
 * @param reload shows that they are there again
 */
export async function offerUndo(
  client: Client,
  entity: ChangedEntity,
  ids: readonly number[],
  reload: () => Promise<unknown>,
): Promise<void> {
  if (ids.length === 0 || ids.length > MOST_OFFERED) return;
  const entries: number[] = [];
  for (const entity_id of ids) {
    const found = await client.bin.list({ query: { entity, entity_id, per_page: 1 } }).then(
      ({ data }) => data[0],
      // What cannot be found in the bin cannot be offered, and the removal itself went well.
      () => undefined,
    );
    if (found?.may_restore) entries.push(found.id);
  }
  if (entries.length === 0) return;
  const restore = async () => {
    for (const id of entries) await client.history.restore({ params: { id } });
  };
  showNotification(`${ids.length === 1 ? 'It stays' : 'They stay'} in the bin for 30 days.`, {
    label: 'Undo',
    act: () => void restore().catch(showProblem).then(reload),
  });
}
