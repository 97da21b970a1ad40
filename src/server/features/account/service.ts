import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import { ApiError } from '../../../contract/errors.ts';
import { recordEvent } from '../../core/audit/record-event.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import { countAgainst, countAttempt, forgetAttempts } from '../../core/limits/attempts.ts';
import { noteMails, withinQuotas } from '../../core/limits/quotas.ts';
import { checkPassword, hashPassword } from '../../core/secrets/password.ts';
import { newEmailStep, sendEmailLink, tellOldAddress } from '../users/email-links.ts';
import { findUser, lockUser } from '../users/queries.ts';
import { refuseKeys } from '../users/rights.ts';
import { endOtherSessions as endOthers, endSessionOf } from '../users/sessions.ts';
import { takeConfirmation } from '../users/sign-in.ts';
import { takeStep } from '../users/sign-in-steps.ts';
import { fieldsOfUser, refuseTaken, removeKeysOf, storeEmail, storePassword, storeUser } from '../users/write-users.ts';

const HOUR = 60 * 60 * 1000;
/** Addresses that a user may try per hour, to prevent finding out who has an account. */
const MAX_ASKED = 5;

/**
 * Sends a confirmation link to the caller's new address.
 * @throws ApiError invalid if it is taken or the password confirmation fails, forbidden, too_many
 */
export async function checkEmail(
  context: SignedInContext,
  { email, confirmation }: z.output<typeof calls.account.askEmail.body>,
): Promise<void> {
  const { db: database, clock, organizationId, user } = context;
  refuseKeys(user);
  if (email === user.email) throw new ApiError('invalid', { email: ['This is already your e-mail address.'] });
  await countAgainst(database, clock, [{ subject: `email:${user.userId}`, most: MAX_ASKED, window: HOUR }]);
  await countAgainst(database, clock, [{ subject: `link:account:${email}`, most: 3 }]);
  await withinQuotas(context, ['mails'], async (db) => {
    await lockUser(db, organizationId, user.userId);
    await takeConfirmation(db, context, confirmation);
    await refuseTaken(db, email);
    await noteMails(db, clock, organizationId);
  });
  context.later(() => sendEmailLink(context, user, email));
}

/** Ends one of the caller's sessions. @throws ApiError not_found */
export async function endSession(context: SignedInContext, id: string): Promise<void> {
  const user = context.user;
  refuseKeys(user);
  await context.db.transaction().execute(async (db) => {
    if (!(await endSessionOf(db, user.userId, id))) throw new ApiError('not_found');
    await recordEvent(db, context, { event: 'session_ended', subject: user.email });
  });
}

/** Ends all of the caller's sessions except the current one. */
export async function endOtherSessions(context: SignedInContext): Promise<void> {
  const user = context.user;
  refuseKeys(user);
  await context.db.transaction().execute(async (db) => {
    await endOthers(db, user.userId, user.session);
    await recordEvent(db, context, { event: 'session_ended', subject: user.email, details: { all_others: true } });
  });
}

/** Changes the caller's name. */
export async function updateAccount(context: SignedInContext, name: string): Promise<void> {
  const user = context.user;
  refuseKeys(user);
  await context.db.transaction().execute(async (db) => {
    const row = await lockUser(db, context.organizationId, user.userId);
    if (!row) throw new ApiError('signed_out');
    await storeUser(db, context, row, { ...fieldsOfUser(row), name }, { action: 'update' });
  });
}

/** Links that a user may try per window. */
const MAX_TRIES = 20;

/**
 * Sets the caller's email address to the confirmed one, and notifies the old address.
 * @throws ApiError invalid if the link is expired, used, or another user's
 */
export async function updateEmail(
  context: SignedInContext,
  { email, token }: z.output<typeof calls.account.changeEmail.body>,
): Promise<void> {
  const { db: database, clock, organizationId, user } = context;
  refuseKeys(user);
  await countAgainst(database, clock, [{ subject: `email:link:${user.userId}`, most: MAX_TRIES }]);
  const old = await database.transaction().execute(async (db) => {
    const row = await lockUser(db, organizationId, user.userId);
    if (!row) throw new ApiError('signed_out');
    if (!(await takeStep(db, clock, token, newEmailStep(user.userId, email))))
      throw new ApiError('invalid', { token: ['This link has expired or was already used. Request a new one.'] });
    await storeEmail(db, context, row, email);
    await noteMails(db, clock, organizationId);
    return row;
  });
  context.later(() => tellOldAddress(context, old, email));
}

const refusal = () =>
  new ApiError('invalid', { current_password: ['This is not your current password. Check it and try again.'] });

/**
 * Changes the caller's password, which requires the current one. All other sessions and links of the user end.
 * @throws ApiError invalid if the current password is wrong, too_many after too many attempts
 */
export async function updatePassword(
  context: SignedInContext,
  { current_password, password, revoke_api_keys }: z.output<typeof calls.account.changePassword.body>,
): Promise<void> {
  const { db: database, clock, address, organizationId } = context;
  const user = context.user;
  refuseKeys(user);
  // A stolen session must not allow more password guesses than the sign-in does.
  await countAttempt(database, clock, user.email, address);
  const known = (await findUser(database, organizationId, user.userId))?.password_hash;
  if (!(await checkPassword(known || null, current_password))) throw refusal();
  const password_hash = await hashPassword(password);
  await database.transaction().execute(async (db) => {
    const row = await lockUser(db, organizationId, user.userId);
    // The password may have been changed in the meantime.
    if (!row || row.password_hash !== known) throw refusal();
    await storePassword(db, clock, row, password_hash);
    await endOthers(db, row.id, user.session);
    if (revoke_api_keys) await removeKeysOf(db, context, row.id);
    const about = { entity_id: row.id, name: row.name, facts: { password: 'changed' } };
    await recordEvent(db, context, { event: 'password_changed', subject: row.email });
    await recordChange(db, context, { action: 'update', entity: 'user', ...about });
  });
  await forgetAttempts(database, user.email, address);
}
