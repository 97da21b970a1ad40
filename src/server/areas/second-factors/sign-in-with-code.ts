import type { User } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { Database } from '../../base/db/database.ts';
import { recordEvent } from '../../store/audit/record-event.ts';
import type { CallContext } from '../../store/call-context.ts';
import {
  findFactor,
  type StoredFactor,
  takeCode,
  takeRecoveryCode,
} from '../../store/second-factors/second-factors-repository.ts';
import { countCode, forgetCodes } from '../../store/sessions/attempts.ts';
import { findStep, takeStep } from '../../store/sessions/sign-in-steps.ts';
import { completeSignIn, type Proof } from '../../store/sign-in/complete-sign-in.ts';
import { actingAs, countSignIn, recordFailure } from '../../store/sign-in/sign-in-events.ts';
import { refusePasswords } from '../../store/sign-in/sign-in-rules.ts';
import { findUserById, type StoredUser } from '../../store/users/users-repository.ts';
import { stepOfCode } from './check-code.ts';

const overdue = () =>
  new ApiError('invalid', { token: ['It took too long, or was done already. Sign in again with your password.'] });

const wrongCode = () =>
  new ApiError('invalid', { code: ["This code isn't valid, or was used already. Enter the one that is shown now."] });

/** What the code of an authenticator app looks like; everything else can be a recovery code only. */
const OF_APP = /^\d{6}$/;

/** How a code shows who somebody is; null when it is wrong. It is used up within the transaction of the sign-in. */
async function proofOf(
  context: CallContext,
  row: StoredUser,
  factor: StoredFactor,
  code: string,
): Promise<Omit<Proof, 'method'> | null> {
  if (!OF_APP.test(code)) {
    const use = async (db: Database) => {
      if (!(await takeRecoveryCode(db, row.id, code))) throw wrongCode();
      await recordEvent(db, actingAs(context, row), { event: 'recovery_code_used', subject: row.email });
    };
    return { details: { second_factor: 'recovery code' }, use };
  }
  const step = await stepOfCode(context.settings, row.id, factor.secret, code, context.clock.now());
  if (step === null) return null;
  const use = async (db: Database) => {
    if (!(await takeCode(db, factor, step))) throw wrongCode();
  };
  return { details: { second_factor: 'code' }, use };
}

/**
 * Ends a sign-in that began with a password, with a code of the authenticator app or a recovery code. Each is taken once.
 * @throws ApiError invalid when the code is wrong or the sign-in is over, too_many after too many codes
 */
export async function signInWithCode(context: CallContext, token: string, typed: string): Promise<User> {
  const { db, clock, address } = context;
  const userId = await findStep(db, clock, token, 'second_factor');
  const row = userId === null ? undefined : await findUserById(db, userId);
  const factor = row && (await findFactor(db, row.id));
  if (!row || !factor) throw overdue();
  await countSignIn(context, row.email, () => countCode(db, clock, row.id, address));
  await refusePasswords(db, row);
  const code = typed.replace(/\s/g, '');
  try {
    const proof = await proofOf(context, row, factor, code);
    if (!proof) throw wrongCode();
    const use = async (transaction: Database) => {
      await proof.use?.(transaction);
      if (!(await takeStep(transaction, clock, token, { purpose: 'second_factor', userId: row.id }))) throw overdue();
      await forgetCodes(transaction, row.id, address);
    };
    return await completeSignIn(context, row, { method: 'password', details: proof.details, use });
  } catch (error) {
    if (error instanceof ApiError && error.msg.code) await recordFailure(context, row.email, row, 'second factor');
    throw error;
  }
}
