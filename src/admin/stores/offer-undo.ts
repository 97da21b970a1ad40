import type { Client } from '../../contract/client.ts';
import type { ChangedEntity } from '../../contract/entities.ts';
import { showDone, showNotification, showProblem, showProblemText } from '../../ui/notifications.ts';
import { runBulk } from './run-bulk.ts';

/** Maximum entries to offer undo for: each is looked up separately. */
const MAX_OFFERED = 100;

/**
 * Offers to restore removed entries from the bin.
 * @param ids ids of one entity type
 * @param done text before the offer, such as "2 spaces removed."
 * @param reload reloads the list
 */
export async function offerUndo(
  client: Client,
  entity: ChangedEntity,
  ids: readonly number[],
  reload: () => Promise<unknown>,
  done = '',
): Promise<void> {
  if (ids.length === 0) return;
  const stay = `${done} ${ids.length === 1 ? 'It stays' : 'They stay'} in the bin for 30 days.`.trim();
  if (ids.length > MAX_OFFERED) return showDone(stay);
  const entries: number[] = [];
  for (const entity_id of ids) {
    const found = await client.bin.list({ query: { entity, entity_id, per_page: 1 } }).then(
      ({ data }) => data[0],
      // The removal succeeded even if the bin lookup fails.
      () => undefined,
    );
    if (found?.may_restore) entries.push(found.id);
  }
  if (entries.length === 0) return done === '' ? undefined : showDone(done);
  const restore = async () => {
    const { problems } = await runBulk(client, entries, { action: 'bin.restore' });
    for (const problem of problems) showProblemText(problem);
  };
  showNotification(stay, {
    label: 'Undo',
    act: () => void restore().catch(showProblem).then(reload),
  });
}
