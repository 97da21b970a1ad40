import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import { refuseStale } from '../../base/answers/stale.ts';
import type { SignedInContext } from '../../store/call-context.ts';
import { refuseAbove, refuseBeyond, refuseKeys, refuseLast, refuseOwn } from '../../store/users/rights.ts';
import { fieldsOfUser, storeUser } from '../../store/users/write-users.ts';
import { findUserToChange } from './find-user.ts';

/**
 * Changes a user. Whoever may no longer sign in is signed out at once.
 * @throws ApiError not_found, stale, or forbidden with the reason
 */
export async function updateUser(
  context: SignedInContext,
  id: number,
  { updated_at, ...given }: z.output<typeof calls.users.update.body>,
): Promise<void> {
  const user = context.user;
  refuseKeys(user);
  await context.db.transaction().execute(async (db) => {
    const row = await findUserToChange(db, context.organizationId, id);
    refuseStale(row.updated_at, updated_at);
    const had = fieldsOfUser(row);
    const fields = {
      name: given.name ?? had.name,
      policies: given.policies ?? had.policies,
      isActive: given.is_active ?? had.isActive,
    };
    refuseOwn(user, row, fields);
    refuseAbove(user, row);
    refuseBeyond(user, fields.policies);
    await refuseLast(db, row, fields);
    await storeUser(db, context, row, fields, { action: 'update' });
  });
}
