import type { ChangedEntity } from '../../../contract/entities.ts';
import { recordEvent } from '../../store/audit/record-event.ts';
import type { SignedInContext } from '../../store/call-context.ts';
import { spendChanges } from '../../store/history/changes-repository.ts';

/**
 * Forgets for good what was removed.
 * @param entities kinds of things that the caller may remove
 * @param ids entries of the change log; all where none are named
 * @returns how many were forgotten
 */
export async function removeKept(
  context: SignedInContext,
  entities: readonly ChangedEntity[],
  ids: readonly number[] | undefined,
): Promise<number> {
  if (entities.length === 0) return 0;
  return context.db.transaction().execute(async (db) => {
    const emptied = await spendChanges(db, context.organizationId, entities, ids);
    if (emptied > 0) await recordEvent(db, context, { event: 'emptied', subject: `Bin: ${emptied}` });
    return emptied;
  });
}
