import { type Clock, timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { createToken, hashToken } from '../../core/secrets/token.ts';

/** Default lifetime of a step in milliseconds. */
export const STEP_LIFETIME = 5 * 60 * 1000;

/** The only purpose of a step's token. */
export type StepPurpose =
  | 'second_factor'
  | 'confirmed'
  | 'passkey_sign_in'
  | 'passkey_add'
  | 'passkey_confirm'
  | 'identity_provider'
  | 'new_email';

/** A step to begin. */
export interface NewStep {
  purpose: StepPurpose;
  /** Its user; null if not known yet. */
  userId?: number | null;
  /** The session or browser to which it is bound. */
  boundTo?: string;
  /** Lifetime in milliseconds. */
  lifetime?: number;
}

/** Begins a sign-in step and returns its token, of which only the hash is stored. */
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

/** The user of an unused step; null if there is none. */
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

/**
 * Redeems a step; only one of several concurrent uses succeeds. Returns whether it exists for this user and binding.
 */
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

/** Ends all pending steps of a user. */
export async function forgetSteps(db: Database, userId: number): Promise<void> {
  await db.deleteFrom('sign_in_steps').where('user_id', '=', userId).execute();
}
