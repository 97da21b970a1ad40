import { ApiError } from '../../../contract/errors.ts';
import type { CallContext } from '../../store/call-context.ts';
import { deleteOldAddress } from '../../store/endpoints/old-addresses.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { lockTree } from './lock-tree.ts';

/**
 * Forgets an address that a structure had.
 * @throws ApiError not_found, where there is no such structure or it never had the address
 */
export async function removeAddress(context: CallContext, id: number, path: string): Promise<void> {
  await lockTree(context, async (db, all) => {
    const row = all.find((other) => other.id === id);
    if (!row || !(await deleteOldAddress(db, id, path))) throw new ApiError('not_found');
    const about = { entity_id: id, room_id: row.room_id, name: row.name };
    await recordChange(db, context, {
      action: 'update',
      entity: 'endpoint',
      ...about,
      facts: { old_address_removed: path },
    });
  });
}
