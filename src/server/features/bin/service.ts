import type { ChangedEntity } from '../../../contract/entities.ts';
import { recordEvent } from '../../core/audit/record-event.ts';
import { emptyBin } from '../../core/changes/change-log.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import { eraseShares, findShares } from '../feeds/shares.ts';

/** Visitor messages erased per batch. */
const ERASE_BATCH = 200;

/**
 * Permanently deletes removed entities.
 * @param entities kinds that the caller may remove
 * @param ids change log entries; all if empty
 * @returns the number of entries
 */
export async function removeKept(
  context: SignedInContext,
  entities: readonly ChangedEntity[],
  ids: readonly number[] | undefined,
): Promise<number> {
  if (entities.length === 0) return 0;
  const { db: database, organizationId } = context;
  const emptied = await database.transaction().execute(async (db) => {
    const spent = await emptyBin(db, organizationId, { entities, ids });
    if (spent.length > 0) await recordEvent(db, context, { event: 'emptied', subject: `Bin: ${spent.length}` });
    return spent;
  });
  // Visitor messages are still in their own table.
  const messages = emptied.filter(({ entity }) => entity === 'feed_item').map(({ entity_id }) => entity_id);
  for (let from = 0; from < messages.length; from += ERASE_BATCH) {
    const shares = await findShares(database, organizationId, messages.slice(from, from + ERASE_BATCH));
    await eraseShares(
      context,
      organizationId,
      shares.filter(({ removed_at }) => removed_at !== null),
    );
  }
  return emptied.length;
}
