import { recordEvent } from '../../store/audit/record-event.ts';
import type { SignedInContext } from '../../store/call-context.ts';
import { findFactor, makeRecoveryCodes } from '../../store/second-factors/second-factors-repository.ts';
import { takeConfirmation } from '../../store/sign-in/confirm-own.ts';
import { refuseKeys } from '../../store/users/rights.ts';
import { lockUser } from '../../store/users/users-repository.ts';
import { notOn } from './remove-factor.ts';

/** Makes recovery codes in place of those so far. @throws ApiError invalid when there is no second factor, or the caller did not confirm */
export async function createRecoveryCodes(context: SignedInContext, confirmation: string): Promise<string[]> {
  const { organizationId } = context;
  const { userId, email } = context.user;
  refuseKeys(context.user);
  return context.db.transaction().execute(async (db) => {
    await lockUser(db, organizationId, userId);
    await takeConfirmation(db, context, confirmation);
    if ((await findFactor(db, userId))?.is_confirmed !== 1) throw notOn();
    await recordEvent(db, context, { event: 'recovery_codes_made', subject: email });
    return makeRecoveryCodes(db, userId);
  });
}
