import type { SecondFactor } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import type { CallContext, SignedIn, SignedInContext } from '../../core/http/call-context.ts';
import { countAttempt, forgetAttempts } from '../../core/limits/attempts.ts';
import { checkPassword } from '../../core/secrets/password.ts';
import { refuseKeys } from './rights.ts';
import { beginStep, STEP_LIFETIME, takeStep } from './sign-in-steps.ts';
import { findUserById } from './users-repository.ts';

/** Whether somebody signed in elsewhere, with their identity provider, a moment ago. */
async function hasJustSignedIn({ db, clock }: CallContext, { session, method }: SignedIn): Promise<boolean> {
  if (method !== 'identity_provider') return false;
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('family', '=', session)
    .where('signed_in_at', '>', timestampOf(clock.now() - STEP_LIFETIME))
    .executeTakeFirst();
  return row !== undefined;
}

/** How a user shows once more who they are. Whoever has neither password nor passkey signs in again elsewhere. */
export async function confirmationsOf(db: Database, userId: number): Promise<SecondFactor['confirm_by']> {
  const row = await findUserById(db, userId);
  const passkey = await db.selectFrom('passkeys').select('id').where('user_id', '=', userId).executeTakeFirst();
  const ways: SecondFactor['confirm_by'] = [];
  if (row?.password_hash) ways.push('password');
  if (passkey) ways.push('passkey');
  return ways.length > 0 ? ways : ['sign_in'];
}

/** Gives what goes with a change that a session alone must not make. */
export const giveConfirmation = ({ db, clock }: CallContext, { userId, session }: SignedIn): Promise<string> =>
  beginStep(db, clock, { purpose: 'confirmed', userId, boundTo: session });

/**
 * Shows once more who somebody is, by their password.
 * @throws ApiError invalid when it is wrong, too_many after too many tries
 */
export async function confirmOwn(context: SignedInContext, password: string): Promise<string> {
  const { db, clock, address } = context;
  const user = context.user;
  refuseKeys(user);
  if ((await confirmationsOf(db, user.userId)).includes('sign_in')) {
    if (await hasJustSignedIn(context, user)) return giveConfirmation(context, user);
    throw new ApiError('invalid', 'Sign out, sign in again, and do this within five minutes.');
  }
  // Whoever has got hold of a session must not guess here what they may not guess at the sign-in.
  await countAttempt(db, clock, user.email, address);
  const known = (await findUserById(db, user.userId))?.password_hash;
  if (!(await checkPassword(known || null, password)))
    throw new ApiError('invalid', { current_password: ['This is not your password. Check it and try again.'] });
  await forgetAttempts(db, user.email, address);
  return giveConfirmation(context, user);
}

/**
 * Takes what shows that the caller is the user in person, in the transaction of the change.
 * @throws ApiError invalid when it is over, was used, or belongs to another session
 */
export async function takeConfirmation(
  db: Database,
  { clock, user }: SignedInContext,
  confirmation: string,
): Promise<void> {
  const wanted = { purpose: 'confirmed', userId: user.userId, boundTo: user.session } as const;
  if (!(await takeStep(db, clock, confirmation, wanted)))
    throw new ApiError('invalid', { confirmation: ['It took too long. Confirm once more that it is you.'] });
}
