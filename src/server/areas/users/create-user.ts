import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import type { SignedInContext } from '../../store/call-context.ts';
import { withinQuotas } from '../../store/quotas/quotas.ts';
import { refuseBeyond, refuseKeys } from '../../store/users/rights.ts';
import type { StoredUser } from '../../store/users/users-repository.ts';
import { insertUser, refuseTaken } from '../../store/users/write-users.ts';

/**
 * Adds a user without a password.
 * @throws ApiError forbidden when they would get rights that the caller lacks, invalid when the address is taken
 */
export async function createUser(
  context: SignedInContext,
  { email, name, policies }: z.output<typeof calls.users.invite.body>,
): Promise<StoredUser> {
  const user = context.user;
  refuseKeys(user);
  refuseBeyond(user, policies);
  return withinQuotas(context, ['users', 'mails'], async (db) => {
    await refuseTaken(db, email);
    return insertUser(db, context, { email, name, policies, isActive: true }, { action: 'create' });
  });
}
