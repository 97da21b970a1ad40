import { ApiError } from '../../../contract/errors.ts';
import { recordEvent } from '../../store/audit/record-event.ts';
import type { SignedInContext } from '../../store/call-context.ts';
import { removeFactor as deleteFactor, findFactor } from '../../store/second-factors/second-factors-repository.ts';
import { takeConfirmation } from '../../store/sign-in/confirm-own.ts';
import { refuseKeys } from '../../store/users/rights.ts';
import { lockUser } from '../../store/users/users-repository.ts';

/** Refuses what takes a second factor. */
export const notOn = () => new ApiError('invalid', 'You have no second factor. Set one up first.');

/** Removes the caller's second factor. @throws ApiError invalid when there is none, or the caller did not confirm */
export async function removeFactor(context: SignedInContext, confirmation: string): Promise<void> {
  const { userId, email } = context.user;
  refuseKeys(context.user);
  await context.db.transaction().execute(async (db) => {
    await lockUser(db, context.organizationId, userId);
    await takeConfirmation(db, context, confirmation);
    if ((await findFactor(db, userId))?.is_confirmed !== 1) throw notOn();
    await deleteFactor(db, userId);
    await recordEvent(db, context, { event: 'second_factor_removed', subject: email });
  });
}
