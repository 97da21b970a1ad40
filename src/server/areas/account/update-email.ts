import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { SignedInContext } from '../../store/call-context.ts';
import { noteMails } from '../../store/quotas/quotas.ts';
import { countAgainst } from '../../store/sessions/attempts.ts';
import { takeStep } from '../../store/sessions/sign-in-steps.ts';
import { newEmailStep, tellOldAddress } from '../../store/users/email-links.ts';
import { refuseKeys } from '../../store/users/rights.ts';
import { lockUser } from '../../store/users/users-repository.ts';
import { storeEmail } from '../../store/users/write-users.ts';

/** Links that one user may try in the window. */
const MAX_TRIES = 20;

/**
 * Gives the caller the address that a link was sent to; the old one is told.
 * @throws ApiError invalid when the link is over, was used, or is somebody else's
 */
export async function updateEmail(
  context: SignedInContext,
  { email, token }: z.output<typeof calls.account.changeEmail.body>,
): Promise<void> {
  const { db: database, clock, organizationId, user } = context;
  refuseKeys(user);
  await countAgainst(database, clock, [{ subject: `email:link:${user.userId}`, most: MAX_TRIES }]);
  const old = await database.transaction().execute(async (db) => {
    const row = await lockUser(db, organizationId, user.userId);
    if (!row) throw new ApiError('signed_out');
    if (!(await takeStep(db, clock, token, newEmailStep(user.userId, email))))
      throw new ApiError('invalid', { token: ['This link has expired or was used already. Request a new one.'] });
    await storeEmail(db, context, row, email);
    await noteMails(db, clock, organizationId);
    return row;
  });
  context.later(() => tellOldAddress(context, old, email));
}
