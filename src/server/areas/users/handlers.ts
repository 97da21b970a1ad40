import { ApiError } from '../../../contract/errors.ts';
import { pageMeta } from '../../base/db/paging.ts';
import { checkPassword } from '../../base/secrets/password.ts';
import { recordEvent } from '../../store/audit/record-event.ts';
import type { CallContext } from '../../store/call-context.ts';
import { SESSION_COOKIE } from '../../store/media/media-cookies.ts';
import { noteMails, withinQuotas } from '../../store/quotas/quotas.ts';
import {
  addressSubject,
  countAgainst,
  countAttempt,
  forgetAttempts,
  type Limit,
} from '../../store/sessions/attempts.ts';
import { endSession } from '../../store/sessions/sessions.ts';
import { beginStep } from '../../store/sessions/sign-in-steps.ts';
import { completeSignIn } from '../../store/sign-in/complete-sign-in.ts';
import { actingAs, countSignIn, recordFailure } from '../../store/sign-in/sign-in-events.ts';
import { refusePasswords } from '../../store/sign-in/sign-in-rules.ts';
import { asUser } from '../../store/users/as-user.ts';
import { forgetPasswordTokens } from '../../store/users/password-links.ts';
import { refuseKeys } from '../../store/users/rights.ts';
import { sendPasswordLink } from '../../store/users/send-password-link.ts';
import { asMember, findUser, findUserByEmail, listUsers, type StoredUser } from '../../store/users/users-repository.ts';
import type { Handlers } from '../handler.ts';
import { addUser, changeUser, removeUser } from './edit-users.ts';
import { resetPassword } from './reset-password.ts';

async function one({ db, organizationId }: CallContext, id: number): Promise<StoredUser> {
  const row = await findUser(db, organizationId, id);
  if (!row) throw new ApiError('not_found');
  return row;
}

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

export const users: Handlers<'users'> = {
  login: async (context, { body }) => {
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
  },

  forgot: async (context, { body }) => {
    const { db, clock, address, later } = context;
    await countAgainst(db, clock, linkLimits(body.email, address));
    // Whether the address is known shows neither in the answer nor in the time that it takes.
    later(async () => {
      const row = await findUserByEmail(db, body.email);
      if (row?.is_active !== 1) return;
      // It counts, but is never refused: nobody is kept from signing in because others sent much.
      await noteMails(db, clock, row.organization_id);
      await recordEvent(db, actingAs(context, row), { event: 'password_link_sent', subject: row.email });
      await sendPasswordLink(context, row, 'reset');
    });
    return null;
  },

  reset: async (context, { body }) => {
    await resetPassword(context, body);
    return null;
  },

  logout: async (context) => {
    const { user } = context;
    await context.db.transaction().execute(async (db) => {
      await endSession(db, user!.session);
      if (user!.apiKey === null) await recordEvent(db, context, { event: 'sign_out', subject: user!.email });
    });
    return null;
  },

  active: async ({ user, openMedia }) => {
    // A screen asks this first: from then on it can show pictures of protected rooms.
    if (user!.apiKey === null) openMedia(SESSION_COOKIE);
    return asUser(user!);
  },

  list: async ({ db, organizationId }, { query }) => {
    const { rows, total } = await listUsers(db, organizationId, query);
    return { data: rows.map(asMember), meta: pageMeta(total, query) };
  },

  read: async (context, { params }) => asMember(await one(context, params.id)),

  invite: async (context, { body }) => {
    const { db, clock } = context;
    refuseKeys(context.user!);
    await countAgainst(db, clock, invitationLimits(context, body.email));
    const row = await addUser(context, body);
    context.later(() => sendPasswordLink(context, row, 'invitation'));
    return asMember(row);
  },

  inviteAgain: async (context, { params }) => {
    const { db, clock, address, user } = context;
    refuseKeys(user!);
    const row = await one(context, params.id);
    if (row.password_hash !== '')
      throw new ApiError('invalid', 'This user has a password already. They can ask for a new one when they sign in.');
    if (row.is_active === 0) throw new ApiError('invalid', 'This user may not sign in. Let them sign in first.');
    await countAgainst(db, clock, [...linkLimits(row.email, address), ...invitationLimits(context, row.email)]);
    await withinQuotas(context, ['mails'], async (transaction) => {
      await noteMails(transaction, clock, context.organizationId);
      await forgetPasswordTokens(transaction, row.id);
    });
    context.later(() => sendPasswordLink(context, row, 'invitation'));
    return null;
  },

  update: async (context, { params, body }) => {
    await changeUser(context, params.id, body);
    return asMember(await one(context, params.id));
  },

  remove: async (context, { params }) => {
    await removeUser(context, params.id);
    return null;
  },
};
