import { ApiError } from '../../../contract/errors.ts';
import type { SignedInContext } from '../../store/call-context.ts';
import { refuseKeys } from '../../store/users/rights.ts';
import { lockUser } from '../../store/users/users-repository.ts';
import { fieldsOfUser, storeUser } from '../../store/users/write-users.ts';

/** Gives the caller another name. */
export async function updateAccount(context: SignedInContext, name: string): Promise<void> {
  const user = context.user;
  refuseKeys(user);
  await context.db.transaction().execute(async (db) => {
    const row = await lockUser(db, context.organizationId, user.userId);
    if (!row) throw new ApiError('signed_out');
    await storeUser(db, context, row, { ...fieldsOfUser(row), name }, { action: 'update' });
  });
}
