import { type Clock, timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { createToken, hashToken } from '../../core/secrets/token.ts';

const HOUR = 60 * 60 * 1000;
/** Milliseconds that links live: to set a password anew, and to set the first one. */
export const LINK_LIFETIME = { reset: HOUR, invitation: 7 * 24 * HOUR } as const;
export type LinkKind = keyof typeof LINK_LIFETIME;

/** Makes the token of a link with which a user sets a password. It is not stored as it is. */
export async function createPasswordToken(db: Database, clock: Clock, userId: number, kind: LinkKind): Promise<string> {
  const token = createToken();
  const now = clock.now();
  await sweepPasswordTokens(db, clock);
  await db
    .insertInto('password_resets')
    .values({
      user_id: userId,
      token_hash: hashToken(token),
      created_at: timestampOf(now),
      expires_at: timestampOf(now + LINK_LIFETIME[kind]),
    })
    .execute();
  return token;
}

/** Forgets tokens whose time is over. */
export async function sweepPasswordTokens(db: Database, clock: Clock): Promise<void> {
  await db.deleteFrom('password_resets').where('expires_at', '<=', timestampOf(clock.now())).execute();
}

/** Takes every link back that a user has. */
export async function forgetPasswordTokens(db: Database, userId: number): Promise<void> {
  await db.deleteFrom('password_resets').where('user_id', '=', userId).execute();
}

/** The user whom a token lets set a password, if it is theirs and good. */
export async function findPasswordToken(
  db: Database,
  clock: Clock,
  token: string,
  email: string,
): Promise<{ userId: number; organizationId: number } | null> {
  const row = await db
    .selectFrom('password_resets')
    .innerJoin('users', 'users.id', 'password_resets.user_id')
    .select(['users.id', 'users.organization_id'])
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', timestampOf(clock.now()))
    .where('users.email', '=', email)
    .where('users.is_active', '=', 1)
    .executeTakeFirst();
  return row ? { userId: row.id, organizationId: row.organization_id } : null;
}

/** Takes a token: of several at once, one gets it. */
export async function takePasswordToken(db: Database, clock: Clock, token: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('password_resets')
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', timestampOf(clock.now()))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Address of the page on which a password is set. @param origin of the organization's site */
export function passwordLink(origin: string, token: string, email: string): string {
  const encoded = Buffer.from(JSON.stringify({ token, email })).toString('base64url');
  return `${origin}/admin/password/${encoded}/reset`;
}
