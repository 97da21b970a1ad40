import type { Selectable } from 'kysely';
import { type Clock, timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { createReadable, hashToken } from '../../core/secrets/token.ts';
import type { SecondFactorTable } from './table.ts';

export type StoredFactor = Selectable<SecondFactorTable>;

/** Number of recovery codes per user. */
const CODES = 10;

/** The second factor of a user, confirmed or not. */
export async function findFactor(db: Database, userId: number): Promise<StoredFactor | undefined> {
  return db.selectFrom('second_factors').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

/** Stores an unconfirmed secret, replacing a previous unconfirmed one. */
export async function storeSecret(db: Database, clock: Clock, userId: number, secret: string): Promise<void> {
  const fresh = { secret, last_step: 0, created_at: timestampOf(clock.now()) };
  await db
    .insertInto('second_factors')
    .values({ user_id: userId, is_confirmed: 0, ...fresh })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet(fresh).where('second_factors.is_confirmed', '=', 0),
    )
    .execute();
}

/**
 * Accepts a TOTP code once: of concurrent requests one succeeds, and earlier time steps become invalid.
 * @param step time step of the code
 */
export async function takeCode(db: Database, factor: StoredFactor, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('id', '=', factor.id)
    .where('secret', '=', factor.secret)
    .where('last_step', '<', step)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Activates the second factor of a user. */
export async function confirmFactor(db: Database, factor: StoredFactor): Promise<void> {
  await db.updateTable('second_factors').set({ is_confirmed: 1 }).where('id', '=', factor.id).execute();
  await db.updateTable('users').set({ has_second_factor: 1 }).where('id', '=', factor.user_id).execute();
}

/** Removes the second factor and recovery codes of a user. */
export async function removeFactor(db: Database, userId: number): Promise<void> {
  for (const table of ['second_factors', 'recovery_codes'] as const)
    await db.deleteFrom(table).where('user_id', '=', userId).execute();
  await db.updateTable('users').set({ has_second_factor: 0 }).where('id', '=', userId).execute();
}

/** Hash of a recovery code, ignoring case and separators. */
const hashCode = (code: string): string => hashToken(code.toLowerCase().replace(/[^a-z0-9]/g, ''));

/** Replaces the recovery codes of a user. Only their hashes are stored. */
export async function makeRecoveryCodes(db: Database, userId: number): Promise<string[]> {
  const codes = Array.from({ length: CODES }, createReadable);
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await db
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, code_hash: hashCode(code) })))
    .execute();
  return codes;
}

/** Consumes a recovery code: of concurrent requests, one succeeds. */
export async function takeRecoveryCode(db: Database, userId: number, code: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashCode(code))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Number of unused recovery codes of a user. */
export async function countRecoveryCodes(db: Database, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(count);
}
