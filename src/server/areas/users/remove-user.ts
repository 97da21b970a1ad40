import type { SignedInContext } from '../../store/call-context.ts';
import { refuseAbove, refuseKeys, refuseLast, refuseOwnRemoval } from '../../store/users/rights.ts';
import { deleteUser } from '../../store/users/write-users.ts';
import { findUserToChange } from './find-user.ts';

/**
 * Removes a user with their sessions, links and API keys.
 * @throws ApiError not_found, or forbidden with the reason
 */
export async function removeUser(context: SignedInContext, id: number): Promise<void> {
  refuseKeys(context.user);
  await context.db.transaction().execute(async (db) => {
    const row = await findUserToChange(db, context.organizationId, id);
    refuseOwnRemoval(context.user, row);
    refuseAbove(context.user, row);
    await refuseLast(db, row, null);
    await deleteUser(db, context, row);
  });
}
