import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import { ApiError } from '../../../contract/errors.ts';
import { checkPassword } from '../../base/secrets/password.ts';
import type { CallContext } from '../../store/call-context.ts';
import { countAttempt, forgetAttempts } from '../../store/sessions/attempts.ts';
import { beginStep } from '../../store/sessions/sign-in-steps.ts';
import { completeSignIn } from '../../store/sign-in/complete-sign-in.ts';
import { countSignIn, recordFailure } from '../../store/sign-in/sign-in-events.ts';
import { refusePasswords } from '../../store/sign-in/sign-in-rules.ts';
import { findUserByEmail } from '../../store/users/users-repository.ts';

/**
 * Signs a user in with their password, as far as that goes: a second factor is asked for next.
 * @throws ApiError wrong_login, forbidden or too_many
 */
export async function signInWithPassword(context: CallContext, body: z.output<typeof calls.users.login.body>) {
  const { db, clock, address } = context;
  const { email, password } = body;
  await countSignIn(context, email, () => countAttempt(db, clock, email, address));
  const row = await findUserByEmail(db, email);
  const stored = row?.is_active === 1 && row.password_hash !== '' ? row.password_hash : null;
  const fits = await checkPassword(stored, password);
  if (!row || !fits) {
    await recordFailure(context, email, row, 'password');
    throw new ApiError('wrong_login');
  }
  await forgetAttempts(db, email, address);
  await refusePasswords(db, row);
  if (row.has_second_factor === 1)
    return { second_factor_token: await beginStep(db, clock, { purpose: 'second_factor', userId: row.id }) };
  return completeSignIn(context, row, { method: 'password' });
}
