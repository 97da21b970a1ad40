import { ApiError } from '../../../contract/errors.ts';
import { recordEvent } from '../../store/audit/record-event.ts';
import type { SignedInContext } from '../../store/call-context.ts';
import { findOrganization } from '../../store/organizations/organizations-repository.ts';
import {
  findFactor,
  makeRecoveryCodes,
  confirmFactor as storeConfirmed,
  storeSecret,
  takeCode,
} from '../../store/second-factors/second-factors-repository.ts';
import { countCode, forgetCodes } from '../../store/sessions/attempts.ts';
import { takeConfirmation } from '../../store/sign-in/confirm-own.ts';
import { refuseKeys } from '../../store/users/rights.ts';
import { lockUser } from '../../store/users/users-repository.ts';
import { createSecret, stepOfCode } from './check-code.ts';

/**
 * Begins to set up a second factor: it counts once it is confirmed.
 * @returns its secret, and what apps read from a QR code
 * @throws ApiError in_use, or invalid when the caller did not confirm
 */
export async function createFactor(
  context: SignedInContext,
  confirmation: string,
): Promise<{ secret: string; uri: string }> {
  const { settings, clock, organizationId } = context;
  const { userId, email } = context.user;
  refuseKeys(context.user);
  return context.db.transaction().execute(async (db) => {
    await lockUser(db, organizationId, userId);
    await takeConfirmation(db, context, confirmation);
    if ((await findFactor(db, userId))?.is_confirmed === 1)
      throw new ApiError('in_use', 'You have a second factor already. Remove it before you set up another one.');
    const { name } = await findOrganization(db, organizationId);
    const { secret, uri, sealed } = await createSecret(settings, userId, name, email);
    await storeSecret(db, clock, userId, sealed);
    return { secret, uri };
  });
}

/**
 * Turns a second factor on with a code of it.
 * @returns recovery codes, which are told only once
 * @throws ApiError invalid when the code is not right, too_many after too many tries
 */
export async function confirmFactor(context: SignedInContext, given: string): Promise<string[]> {
  const { settings, clock, address, organizationId } = context;
  const { userId, email } = context.user;
  refuseKeys(context.user);
  await countCode(context.db, clock, userId, address);
  return context.db.transaction().execute(async (db) => {
    await lockUser(db, organizationId, userId);
    const factor = await findFactor(db, userId);
    if (!factor || factor.is_confirmed === 1)
      throw new ApiError('invalid', 'There is nothing to confirm. Begin to set up a second factor again.');
    const code = given.replace(/\s/g, '');
    const step = await stepOfCode(settings, userId, factor.secret, code, clock.now());
    if (step === null || !(await takeCode(db, factor, step)))
      throw new ApiError('invalid', { code: ["This code isn't valid. Enter the one that the app shows now."] });
    await storeConfirmed(db, factor);
    await forgetCodes(db, userId, address);
    await recordEvent(db, context, { event: 'second_factor_added', subject: email });
    return makeRecoveryCodes(db, userId);
  });
}
