import type { SecondFactor, User } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { type EventSource, recordEvent } from '../../core/audit/record-event.ts';
import { timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { deviceOf } from '../../core/device.ts';
import type { CallContext, SignedIn, SignedInContext } from '../../core/http/call-context.ts';
import {
  addAttempts,
  countAttempt,
  forgetAttempts,
  isCounted,
  lockSubjects,
  TooManyAttempts,
} from '../../core/limits/attempts.ts';
import { OutcomeCounter } from '../../core/metrics.ts';
import { refuseSuspended } from '../../core/organization-state.ts';
import { checkPassword } from '../../core/secrets/password.ts';
import { SESSION_COOKIE } from '../media/media-cookies.ts';
import { findOrganization } from '../organizations/queries.ts';
import { findUserByEmail, findUserById, lockUser, readUser, type StoredUser } from './queries.ts';
import { refuseKeys } from './rights.ts';
import { beginSession, peekSession, type SignInMethod } from './sessions.ts';
import { beginStep, STEP_LIFETIME, takeStep } from './sign-in-steps.ts';

/**
 * Rejects a password sign-in if the organization has turned that off. Only callers who know the password learn this.
 * @throws ApiError forbidden
 */
export async function refusePasswords(db: Database, { organization_id }: StoredUser): Promise<void> {
  const { has_password_sign_in } = await db
    .selectFrom('organizations')
    .select('has_password_sign_in')
    .where('id', '=', organization_id)
    .executeTakeFirstOrThrow();
  if (has_password_sign_in === 0)
    throw new ApiError('forbidden', "Your organization doesn't use passwords. Sign in with the identity provider.");
}

type Somebody = Pick<StoredUser, 'id' | 'name' | 'organization_id'>;

/** The context of a call on behalf of a user without a session. */
export const actingAs = (context: CallContext, { id, name, organization_id }: Somebody): EventSource => ({
  ...context,
  organizationId: organization_id,
  user: { userId: id, name, apiKey: null },
});

/** The organization of an anonymous attempt: that of the known user, or of the host. */
const attemptOf = (context: CallContext, row: Somebody | undefined): EventSource => ({
  ...context,
  organizationId: row?.organization_id ?? context.organizationId,
  user: null,
});

/** Sign-ins of this server. A rejected attempt over the limit counts as locked, each time. */
export const signIns = new OutcomeCounter(
  { name: 'sign_ins_total', help: 'Sign-ins: succeeded, failed, or locked after too many attempts.' },
  ['succeeded', 'failed', 'locked'],
);

/** Records a failed sign-in. */
export async function recordFailure(
  context: CallContext,
  email: string,
  row: Somebody | undefined,
  by: string,
): Promise<void> {
  signIns.count(context.db, 'failed');
  await recordEvent(context.db, attemptOf(context, row), {
    event: 'sign_in_failed',
    subject: email,
    details: { by },
  });
}

/**
 * Counts a sign-in attempt. A rejection is recorded once per limit and window: rejected attempts must not fill the
 * disk.
 * @throws TooManyAttempts
 */
export async function countSignIn(context: CallContext, email: string, count: () => Promise<void>): Promise<void> {
  try {
    await count();
  } catch (error) {
    if (error instanceof TooManyAttempts) {
      signIns.count(context.db, 'locked');
      await recordLock(context, email, error.subject);
    }
    throw error;
  }
}

async function recordLock(context: CallContext, email: string, limit: string): Promise<void> {
  const row = await findUserByEmail(context.db, email);
  const noted = { subject: `noted:${limit}`, most: 1 };
  await context.db.transaction().execute(async (db) => {
    await lockSubjects(db, [noted]);
    if (await isCounted(db, context.clock, noted.subject)) return;
    await addAttempts(db, context.clock, [noted.subject]);
    const subject = limit.startsWith('address:') ? context.address : email;
    await recordEvent(db, attemptOf(context, row), { event: 'sign_in_locked', subject });
  });
}

/** Proof of a user's identity. */
export interface Proof {
  method: SignInMethod;
  /** Details for the audit log. */
  details?: object;
  /**
   * Consumes the proof in the same transaction, such as a one-time code.
   * @throws ApiError if it is no longer valid
   */
  use?(db: Database): Promise<void>;
}

/** Sign-in methods in the words of the audit log. */
const BY: Record<SignInMethod, string> = {
  password: 'password',
  passkey: 'passkey',
  identity_provider: 'identity provider',
};

/**
 * Begins a session for an authenticated user, and returns its token.
 * @param known the user at the time of the proof
 * @throws ApiError wrong_login if they may no longer sign in, or their password has changed; suspended
 */
export async function completeSignIn(
  context: CallContext,
  known: StoredUser,
  { method, details, use }: Proof,
): Promise<User> {
  const { clock, address, userAgent } = context;
  const token = await context.db.transaction().execute(async (db) => {
    const row = await lockUser(db, known.organization_id, known.id);
    if (row?.is_active !== 1 || row.password_hash !== known.password_hash) throw new ApiError('wrong_login');
    refuseSuspended(await findOrganization(db, row.organization_id));
    await use?.(db);
    const seen = { last_seen_at: timestampOf(clock.now()) };
    await db.updateTable('users').set(seen).where('id', '=', row.id).execute();
    await recordEvent(db, actingAs(context, row), {
      event: 'sign_in',
      subject: row.email,
      details: { by: BY[method], ...details },
    });
    return beginSession(db, clock, row.id, { device: deviceOf(userAgent), address, method });
  });
  const session = await peekSession(context.db, clock, token);
  if (!session) throw new ApiError('wrong_login');
  signIns.count(context.db, 'succeeded');
  context.issueToken(token);
  context.openMedia(SESSION_COOKIE);
  return readUser(context, session.user, known.organization_id);
}

/** Whether the user has just signed in with their identity provider. */
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

/**
 * Ways in which a user can confirm their identity. Users with neither password nor passkey sign in again at their
 * provider.
 */
export async function confirmationsOf(db: Database, userId: number): Promise<SecondFactor['confirm_by']> {
  const row = await findUserById(db, userId);
  const passkey = await db.selectFrom('passkeys').select('id').where('user_id', '=', userId).executeTakeFirst();
  const ways: SecondFactor['confirm_by'] = [];
  if (row?.password_hash) ways.push('password');
  if (passkey) ways.push('passkey');
  return ways.length > 0 ? ways : ['sign_in'];
}

/** Returns a confirmation token, which sensitive changes require besides a session. */
export const giveConfirmation = ({ db, clock }: CallContext, { userId, session }: SignedIn): Promise<string> =>
  beginStep(db, clock, { purpose: 'confirmed', userId, boundTo: session });

/**
 * Confirms a user's identity with their password.
 * @throws ApiError invalid if it is wrong, too_many after too many tries
 */
export async function confirmOwn(context: SignedInContext, password: string): Promise<string> {
  const { db, clock, address } = context;
  const user = context.user;
  refuseKeys(user);
  if ((await confirmationsOf(db, user.userId)).includes('sign_in')) {
    if (await hasJustSignedIn(context, user)) return giveConfirmation(context, user);
    throw new ApiError('invalid', 'Sign out, sign in again, and retry within five minutes.');
  }
  // A stolen session must not bypass the limit of password guesses.
  await countAttempt(db, clock, user.email, address);
  const known = (await findUserById(db, user.userId))?.password_hash;
  if (!(await checkPassword(known || null, password)))
    throw new ApiError('invalid', { current_password: ['The password is wrong. Check it and try again.'] });
  await forgetAttempts(db, user.email, address);
  return giveConfirmation(context, user);
}

/**
 * Redeems the confirmation of the caller's identity, in the transaction of the change.
 * @throws ApiError invalid if it has expired, was used, or belongs to another session
 */
export async function takeConfirmation(
  db: Database,
  { clock, user }: SignedInContext,
  confirmation: string,
): Promise<void> {
  const wanted = { purpose: 'confirmed', userId: user.userId, boundTo: user.session } as const;
  if (!(await takeStep(db, clock, confirmation, wanted)))
    throw new ApiError('invalid', { confirmation: ['The confirmation has expired. Confirm your identity again.'] });
}
