import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import { ApiError } from '../../../contract/errors.ts';
import { recordEvent } from '../../store/audit/record-event.ts';
import type { CallContext, SignedInContext } from '../../store/call-context.ts';
import { noteMails, withinQuotas } from '../../store/quotas/quotas.ts';
import { addressSubject, countAgainst, type Limit } from '../../store/sessions/attempts.ts';
import { actingAs } from '../../store/sign-in/sign-in-events.ts';
import { forgetPasswordTokens } from '../../store/users/password-links.ts';
import { refuseKeys } from '../../store/users/rights.ts';
import { sendPasswordLink } from '../../store/users/send-password-link.ts';
import { findUserByEmail, type StoredUser } from '../../store/users/users-repository.ts';
import { createUser } from './create-user.ts';

/** Links that are sent in the window: to one account, and for one address of a caller. */
const linkLimits = (email: string, address: string): Limit[] => [
  { subject: `link:account:${email}`, most: 3 },
  { subject: `link:${addressSubject(address)}`, most: 20 },
];

const HOUR = 60 * 60 * 1000;

/**
 * Invitations in an hour: of an organization, from one address of a caller, and to one mailbox. Those that are refused
 * because the mailbox is known count too, so that nobody finds out by many tries who is a user elsewhere.
 */
const invitationLimits = ({ organizationId, address }: CallContext, email: string): Limit[] => [
  { subject: `invitation:organization:${organizationId}`, most: 200, window: HOUR },
  { subject: `invitation:${addressSubject(address)}`, most: 200, window: HOUR },
  { subject: `invitation:to:${email}`, most: 5, window: HOUR },
];

/** Sends a link to set a new password, where somebody has the address. @throws ApiError too_many */
export async function sendNewPassword(context: CallContext, email: string): Promise<void> {
  const { db, clock, address, later } = context;
  await countAgainst(db, clock, linkLimits(email, address));
  // Whether the address is known shows neither in the answer nor in the time that it takes.
  later(async () => {
    const row = await findUserByEmail(db, email);
    if (row?.is_active !== 1) return;
    // It counts, but is never refused: nobody is kept from signing in because others sent much.
    await noteMails(db, clock, row.organization_id);
    await recordEvent(db, actingAs(context, row), { event: 'password_link_sent', subject: row.email });
    await sendPasswordLink(context, row, 'reset');
  });
}

/**
 * Adds a user, and sends them a link to set a password.
 * @throws ApiError forbidden, invalid or too_many
 */
export async function inviteUser(
  context: SignedInContext,
  body: z.output<typeof calls.users.invite.body>,
): Promise<StoredUser> {
  const { db, clock } = context;
  refuseKeys(context.user);
  await countAgainst(db, clock, invitationLimits(context, body.email));
  const row = await createUser(context, body);
  context.later(() => sendPasswordLink(context, row, 'invitation'));
  return row;
}

/**
 * Sends the link to a user who has no password yet once more.
 * @throws ApiError forbidden, invalid or too_many
 */
export async function inviteAgain(context: SignedInContext, row: StoredUser): Promise<void> {
  const { db, clock, address } = context;
  if (row.password_hash !== '')
    throw new ApiError('invalid', 'This user has a password already. They can ask for a new one when they sign in.');
  if (row.is_active === 0) throw new ApiError('invalid', 'This user may not sign in. Let them sign in first.');
  await countAgainst(db, clock, [...linkLimits(row.email, address), ...invitationLimits(context, row.email)]);
  await withinQuotas(context, ['mails'], async (transaction) => {
    await noteMails(transaction, clock, context.organizationId);
    await forgetPasswordTokens(transaction, row.id);
  });
  context.later(() => sendPasswordLink(context, row, 'invitation'));
}
