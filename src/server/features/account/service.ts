import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import { ApiError } from '../../../contract/errors.ts';
import { recordEvent } from '../../core/audit/record-event.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import { countAgainst } from '../../core/limits/attempts.ts';
import { noteMails, withinQuotas } from '../../core/limits/quotas.ts';
import { takeConfirmation } from '../users/confirm-own.ts';
import { newEmailStep, sendEmailLink, tellOldAddress } from '../users/email-links.ts';
import { refuseKeys } from '../users/rights.ts';
import { endOtherSessions as endOthers, endSessionOf } from '../users/sessions.ts';
import { takeStep } from '../users/sign-in-steps.ts';
import { lockUser } from '../users/users-repository.ts';
import { fieldsOfUser, refuseTaken, storeEmail, storeUser } from '../users/write-users.ts';

const HOUR = 60 * 60 * 1000;
/** Addresses that one user may try in an hour: nobody finds out by many tries who is a user elsewhere. */
const MAX_ASKED = 5;

/**
 * Sends a link to another address of the caller: who opens it shows that the address is theirs.
 * @throws ApiError invalid when it is taken or the caller did not confirm, forbidden, too_many
 */
export async function checkEmail(
  context: SignedInContext,
  { email, confirmation }: z.output<typeof calls.account.askEmail.body>,
): Promise<void> {
  const { db: database, clock, organizationId, user } = context;
  refuseKeys(user);
  if (email === user.email) throw new ApiError('invalid', { email: ['This is your address already.'] });
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

/** Ends all of the caller's sessions but the one that asks for it. */
export async function endOtherSessions(context: SignedInContext): Promise<void> {
  const user = context.user;
  refuseKeys(user);
  await context.db.transaction().execute(async (db) => {
    await endOthers(db, user.userId, user.session);
    await recordEvent(db, context, { event: 'session_ended', subject: user.email, details: { all_others: true } });
  });
}

/** Gives the caller another name. */
export async function updateAccount(context: SignedInContext, name: string): Promise<void> {
  const user = context.user;
  refuseKeys(user);
  await context.db.transaction().execute(async (db) => {
    const row = await lockUser(db, context.organizationId, user.userId);
    if (!row) throw new ApiError('signed_out');
    await storeUser(db, context, row, { ...fieldsOfUser(row), name }, { action: 'update' });
  });
}

/** Links that one user may try in the window. */
const MAX_TRIES = 20;

/**
 * Sets the caller's email address to the confirmed one, and notifies the old address.
 * @throws ApiError invalid when the link is over, was used, or is somebody else's
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
      throw new ApiError('invalid', { token: ['This link has expired or was used already. Request a new one.'] });
    await storeEmail(db, context, row, email);
    await noteMails(db, clock, organizationId);
    return row;
  });
  context.later(() => tellOldAddress(context, old, email));
}
