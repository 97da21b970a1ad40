import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { SignedInContext } from '../../store/call-context.ts';
import { noteMails, withinQuotas } from '../../store/quotas/quotas.ts';
import { countAgainst } from '../../store/sessions/attempts.ts';
import { takeConfirmation } from '../../store/sign-in/confirm-own.ts';
import { sendEmailLink } from '../../store/users/email-links.ts';
import { refuseKeys } from '../../store/users/rights.ts';
import { lockUser } from '../../store/users/users-repository.ts';
import { refuseTaken } from '../../store/users/write-users.ts';

const HOUR = 60 * 60 * 1000;
/** Addresses that one user may try in an hour: nobody finds out by many tries who is a user elsewhere. */
const MAX_ASKED = 5;

/**
 * Sends a link to another address of the caller: who opens it shows that the address is theirs.
 * @throws ApiError invalid when it is taken or the caller did not confirm, forbidden, too_many
 */
export async function checkEmail(
  context: SignedInContext,
  { email, confirmation }: z.output<typeof calls.account.askEmail.body>,
): Promise<void> {
  const { db: database, clock, organizationId, user } = context;
  refuseKeys(user);
  if (email === user.email) throw new ApiError('invalid', { email: ['This is your address already.'] });
  await countAgainst(database, clock, [{ subject: `email:${user.userId}`, most: MAX_ASKED, window: HOUR }]);
  await countAgainst(database, clock, [{ subject: `link:account:${email}`, most: 3 }]);
  await withinQuotas(context, ['mails'], async (db) => {
    await lockUser(db, organizationId, user.userId);
    await takeConfirmation(db, context, confirmation);
    await refuseTaken(db, email);
    await noteMails(db, clock, organizationId);
  });
  context.later(() => sendEmailLink(context, user, email));
}
