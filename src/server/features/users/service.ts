import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import { ApiError } from '../../../contract/errors.ts';
import { recordEvent } from '../../core/audit/record-event.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import type { Database } from '../../core/db/database.ts';
import { lockOrganization } from '../../core/db/for-update.ts';
import type { CallContext, SignedInContext } from '../../core/http/call-context.ts';
import { orNotFound } from '../../core/http/found.ts';
import { refuseStale } from '../../core/http/stale.ts';
import { addressSubject, countAgainst, countAttempt, forgetAttempts, type Limit } from '../../core/limits/attempts.ts';
import { noteMails, withinQuotas } from '../../core/limits/quotas.ts';
import { isSuspended, refuseSuspended } from '../../core/organization-state.ts';
import { checkPassword, hashPassword } from '../../core/secrets/password.ts';
import { findOrganization } from '../organizations/queries.ts';
import { checkLimits } from './limits.ts';
import {
  findPasswordToken,
  forgetPasswordTokens,
  type LinkKind,
  sendPasswordLink,
  takePasswordToken,
} from './passwords.ts';
import { findUser, findUserByEmail, lockUser, type StoredUser } from './queries.ts';
import { refuseAbove, refuseBeyond, refuseKeys, refuseLast, refuseOwn, refuseOwnRemoval } from './rights.ts';
import { endSession, endSessionsOf } from './sessions.ts';
import { actingAs, completeSignIn, countSignIn, recordFailure, refusePasswords } from './sign-in.ts';
import { beginStep } from './sign-in-steps.ts';
import {
  deleteUser,
  fieldsOfUser,
  insertUser,
  refuseTaken,
  removeKeysOf,
  storePassword,
  storeUser,
} from './write-users.ts';

/**
 * Adds a user without a password.
 * @throws ApiError forbidden if they would get rights that the caller lacks, invalid if the email address is taken
 */
async function createUser(
  context: SignedInContext,
  { email, name, policies, limits }: z.output<typeof calls.users.invite.body>,
): Promise<StoredUser> {
  const user = context.user;
  refuseKeys(user);
  refuseBeyond(user, policies);
  return withinQuotas(context, ['users', 'mails'], async (db) => {
    await refuseTaken(db, email);
    await checkLimits(db, context.organizationId, limits);
    return insertUser(db, context, { email, name, policies, limits, isActive: true }, { action: 'create' });
  });
}

/**
 * A user, locked until the transaction ends: two users who lock each other out must not both succeed.
 * @throws ApiError not_found
 */
async function findUserToChange(db: Database, organizationId: number, id: number): Promise<StoredUser> {
  await lockOrganization(db, organizationId);
  return orNotFound(await lockUser(db, organizationId, id));
}

/** Limits of emailed links per window: by account, and by the caller's IP address. */
const linkLimits = (email: string, address: string): Limit[] => [
  { subject: `link:account:${email}`, most: 3 },
  { subject: `link:${addressSubject(address)}`, most: 20 },
];

const HOUR = 60 * 60 * 1000;

/**
 * Limits of invitations per hour: by organization, by the caller's IP address, and by mailbox. Invitations rejected
 * because the mailbox is known count, too, so that users elsewhere can't be enumerated.
 */
const invitationLimits = ({ organizationId, address }: CallContext, email: string): Limit[] => [
  { subject: `invitation:organization:${organizationId}`, most: 200, window: HOUR },
  { subject: `invitation:${addressSubject(address)}`, most: 200, window: HOUR },
  { subject: `invitation:to:${email}`, most: 5, window: HOUR },
];

/** Emails a link to reset a password, if the address is known. @throws ApiError too_many */
export async function sendNewPassword(context: CallContext, email: string): Promise<void> {
  const { db, clock, address, later } = context;
  await countAgainst(db, clock, linkLimits(email, address));
  // Neither the response nor its timing reveals whether the address is known.
  later(async () => {
    const row = await findUserByEmail(db, email);
    if (row?.is_active !== 1 || isSuspended(await findOrganization(db, row.organization_id))) return;
    // It counts, but is never rejected: emails sent by others must not prevent anyone from signing in.
    await noteMails(db, clock, row.organization_id);
    await recordEvent(db, actingAs(context, row), { event: 'password_link_sent', subject: row.email });
    await sendPasswordLink(context, row, 'reset');
  });
}

/**
 * Emails a user a password link, after the response.
 * @returns null; without a mail server, the link, for the caller to pass on
 */
async function deliverLink(context: SignedInContext, row: StoredUser, kind: LinkKind): Promise<string | null> {
  if (!context.settings.SMTP_URL)
    return sendPasswordLink(context, row, kind, await context.shownSite(row.organization_id));
  context.later(async () => {
    await sendPasswordLink(context, row, kind);
  });
  return null;
}

/**
 * Adds a user and emails them a link to set a password.
 * @throws ApiError forbidden, invalid or too_many
 */
export async function inviteUser(
  context: SignedInContext,
  body: z.output<typeof calls.users.invite.body>,
): Promise<{ row: StoredUser; link: string | null }> {
  const { db, clock } = context;
  refuseKeys(context.user);
  await countAgainst(db, clock, invitationLimits(context, body.email));
  const row = await createUser(context, body);
  return { row, link: await deliverLink(context, row, 'invitation') };
}

/**
 * Sends another link to a user who has no password yet.
 * @throws ApiError forbidden, invalid or too_many
 */
export async function inviteAgain(context: SignedInContext, row: StoredUser): Promise<string | null> {
  const { db, clock, address } = context;
  if (row.password_hash !== '')
    throw new ApiError('invalid', 'This user already has a password. They can reset it when they sign in.');
  if (row.is_active === 0) throw new ApiError('invalid', 'This user is deactivated. Activate the user first.');
  await countAgainst(db, clock, [...linkLimits(row.email, address), ...invitationLimits(context, row.email)]);
  await withinQuotas(context, ['mails'], async (transaction) => {
    await noteMails(transaction, clock, context.organizationId);
    await forgetPasswordTokens(transaction, row.id);
  });
  return deliverLink(context, row, 'invitation');
}

/**
 * Sends a user a link to reset their password, on behalf of an administrator. The old password works until the link is
 * used.
 * @throws ApiError forbidden, invalid or too_many
 */
export async function sendResetLink(context: SignedInContext, row: StoredUser): Promise<string | null> {
  const { db, clock, address, organizationId, settings, user } = context;
  if (row.id === user.userId) throw new ApiError('forbidden', 'Change your own password in your account.');
  if (row.is_active === 0) throw new ApiError('invalid', 'This user is deactivated. Activate the user first.');
  const { has_password_sign_in } = await findOrganization(db, organizationId);
  if (has_password_sign_in === 0) throw new ApiError('invalid', "Your organization doesn't use passwords.");
  await countAgainst(db, clock, linkLimits(row.email, address));
  await withinQuotas(context, ['mails'], async (transaction) => {
    await noteMails(transaction, clock, organizationId);
    const details = { link: settings.SMTP_URL ? 'emailed' : 'shown' };
    await recordEvent(transaction, context, { event: 'password_link_sent', subject: row.email, details });
  });
  return deliverLink(context, row, 'reset');
}

/**
 * Deletes a user with their sessions, links and API keys.
 * @throws ApiError not_found, or forbidden with the reason
 */
export async function removeUser(context: SignedInContext, id: number): Promise<void> {
  refuseKeys(context.user);
  await context.db.transaction().execute(async (db) => {
    const row = await findUserToChange(db, context.organizationId, id);
    refuseOwnRemoval(context.user, row);
    refuseAbove(context.user, row);
    await refuseLast(db, row, null);
    await deleteUser(db, context, row);
  });
}

const refusal = () =>
  new ApiError('invalid', {
    token: ['This link has expired or was already used. Use the latest link, or request a new one.'],
  });

/** Limit of token checks per IP address. */
const limitOf = (address: string): Limit => ({ subject: `reset:${addressSubject(address)}`, most: 20 });

/**
 * Sets a password with a link's single-use token; ends all sessions of the user.
 * @throws ApiError invalid if the token is invalid or the password is the old one, too_many after too many tries
 */
export async function resetPassword(
  context: CallContext,
  { token, email, password, revoke_api_keys }: z.output<typeof calls.users.reset.body>,
): Promise<void> {
  const { db: database, clock, address } = context;
  await countAgainst(database, clock, [limitOf(address)]);
  const found = await findPasswordToken(database, clock, token, email);
  // Hashing is expensive, so only valid tokens get that far.
  if (!found) throw refusal();
  const old = (await findUser(database, found.organizationId, found.userId))?.password_hash;
  // A user who replaces a leaked password must not reuse it. The link stays valid.
  if (old && (await checkPassword(old, password)))
    throw new ApiError('invalid', { password: ['This is your current password. Use another one.'] });
  const password_hash = await hashPassword(password);
  await database.transaction().execute(async (db) => {
    const row = await lockUser(db, found.organizationId, found.userId);
    if (row) refuseSuspended(await findOrganization(db, row.organization_id));
    if (row?.is_active !== 1 || !(await takePasswordToken(db, clock, token))) throw refusal();
    await storePassword(db, clock, row, password_hash);
    await endSessionsOf(db, row.id);
    const user = { userId: row.id, name: row.name, apiKey: null };
    const author = { ...context, organizationId: row.organization_id, user };
    if (revoke_api_keys) await removeKeysOf(db, author, row.id);
    const facts = { password: row.password_hash === '' ? 'set for the first time' : 'reset' };
    const about = { entity_id: row.id, name: row.name, facts };
    await recordEvent(db, actingAs(context, row), { event: 'password_set', subject: row.email });
    await recordChange(db, author, { action: 'update', entity: 'user', ...about });
  });
  await forgetAttempts(database, email, address);
}

/**
 * Signs a user in with their password; a second factor, if any, is the next step.
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

/** Ends the caller's session. */
export async function signOut(context: SignedInContext): Promise<void> {
  const { user } = context;
  await context.db.transaction().execute(async (db) => {
    await endSession(db, user.session);
    if (user.apiKey === null) await recordEvent(db, context, { event: 'sign_out', subject: user.email });
  });
}

/**
 * Changes a user. Deactivated users are signed out immediately.
 * @throws ApiError not_found, stale, or forbidden with the reason
 */
export async function updateUser(
  context: SignedInContext,
  id: number,
  { updated_at, ...given }: z.output<typeof calls.users.update.body>,
): Promise<void> {
  const user = context.user;
  refuseKeys(user);
  await context.db.transaction().execute(async (db) => {
    const row = await findUserToChange(db, context.organizationId, id);
    refuseStale(row.updated_at, updated_at);
    const had = fieldsOfUser(row);
    const fields = {
      name: given.name ?? had.name,
      policies: given.policies ?? had.policies,
      limits: given.limits === undefined ? had.limits : given.limits,
      isActive: given.is_active ?? had.isActive,
    };
    refuseOwn(user, row, fields);
    refuseAbove(user, row);
    refuseBeyond(user, fields.policies);
    await refuseLast(db, row, fields);
    if (given.limits) await checkLimits(db, context.organizationId, given.limits);
    await storeUser(db, context, row, fields, { action: 'update' });
  });
}
