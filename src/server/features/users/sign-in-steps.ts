import { type Clock, timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { createToken, hashToken } from '../../core/secrets/token.ts';

/** Milliseconds that a step waits for the next one. */
export const STEP_LIFETIME = 5 * 60 * 1000;

/** What a step's token is good for, and nothing else. */
export type StepPurpose =
  | 'second_factor'
  | 'confirmed'
  | 'passkey_sign_in'
  | 'passkey_add'
  | 'passkey_confirm'
  | 'identity_provider'
  | 'new_email';

/** A step as it is begun. */
export interface NewStep {
  purpose: StepPurpose;
  /** Whose it is; null where that is not known yet. */
  userId?: number | null;
  /** What else must be there when it is used, such as the session or the browser that it began in. */
  boundTo?: string;
  /** Milliseconds that it waits. */
  lifetime?: number;
}

/** Begins a step of a sign-in and gives its token, which is not stored as it is. */
export async function beginStep(
  db: Database,
  clock: Clock,
  { purpose, userId = null, boundTo = '', lifetime = STEP_LIFETIME }: NewStep,
): Promise<string> {
  const token = createToken();
  const now = clock.now();
  await db.deleteFrom('sign_in_steps').where('expires_at', '<=', timestampOf(now)).execute();
  await db
    .insertInto('sign_in_steps')
    .values({
      purpose,
      token_hash: hashToken(token),
      user_id: userId,
      bound_to: boundTo,
      expires_at: timestampOf(now + lifetime),
    })
    .execute();
  return token;
}

/** Whose a step is that has not been used; null where there is none. */
export async function findStep(
  db: Database,
  clock: Clock,
  token: string,
  purpose: StepPurpose,
): Promise<number | null> {
  const row = await db
    .selectFrom('sign_in_steps')
    .select('user_id')
    .where('token_hash', '=', hashToken(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', timestampOf(clock.now()))
    .executeTakeFirst();
  return row?.user_id ?? null;
}

/** Takes a step: of several at once, one gets it. Gives whether it is there, of this user, and bound to the same. */
export async function takeStep(
  db: Database,
  clock: Clock,
  token: string,
  { purpose, userId = null, boundTo = '' }: NewStep,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sign_in_steps')
    .where('token_hash', '=', hashToken(token))
    .where('purpose', '=', purpose)
    .where('user_id', userId === null ? 'is' : '=', userId)
    .where('bound_to', '=', boundTo)
    .where('expires_at', '>', timestampOf(clock.now()))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Ends every step that a user has begun. */
export async function forgetSteps(db: Database, userId: number): Promise<void> {
  await db.deleteFrom('sign_in_steps').where('user_id', '=', userId).execute();
}
