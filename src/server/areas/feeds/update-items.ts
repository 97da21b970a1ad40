import type { ShareState } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { CallContext } from '../../store/call-context.ts';
import { removeShares, restoreShares, setShareStates } from '../../store/shares/share-states.ts';

/**
 * Does the same with several messages of visitors.
 * @returns how many are different now
 * @throws ApiError not_found where none of them is there
 */
export async function updateItems(
  context: CallContext,
  ids: readonly number[],
  to: ShareState | 'restored',
): Promise<number> {
  return context.db.transaction().execute(async (db) => {
    const { found, changed } =
      to === 'removed'
        ? await removeShares(db, context, ids)
        : to === 'restored'
          ? await restoreShares(db, context, ids)
          : await setShareStates(db, context, ids, to);
    if (found === 0) throw new ApiError('not_found');
    return changed;
  });
}
