import { ApiError } from '../../../contract/errors.ts';
import { pageMeta } from '../../base/db/paging.ts';
import type { SignedInContext } from '../../store/call-context.ts';
import { SESSION_COOKIE } from '../../store/media/media-cookies.ts';
import { asUser } from '../../store/users/as-user.ts';
import { refuseKeys } from '../../store/users/rights.ts';
import { asMember, findUser, listUsers, type StoredUser } from '../../store/users/users-repository.ts';
import type { Handlers } from '../handler.ts';
import { inviteAgain, inviteUser, sendNewPassword } from './invite-user.ts';
import { removeUser } from './remove-user.ts';
import { resetPassword } from './reset-password.ts';
import { signInWithPassword } from './sign-in-with-password.ts';
import { signOut } from './sign-out.ts';
import { updateUser } from './update-user.ts';

async function one({ db, organizationId }: SignedInContext, id: number): Promise<StoredUser> {
  const row = await findUser(db, organizationId, id);
  if (!row) throw new ApiError('not_found');
  return row;
}

export const users: Handlers<'users'> = {
  login: async (context, { body }) => signInWithPassword(context, body),

  forgot: async (context, { body }) => {
    await sendNewPassword(context, body.email);
    return null;
  },

  reset: async (context, { body }) => {
    await resetPassword(context, body);
    return null;
  },

  logout: async (context) => {
    await signOut(context);
    return null;
  },

  active: async ({ user, openMedia }) => {
    // A screen asks this first: from then on it can show pictures of protected rooms.
    if (user.apiKey === null) openMedia(SESSION_COOKIE);
    return asUser(user);
  },

  list: async ({ db, organizationId }, { query }) => {
    const { rows, total } = await listUsers(db, organizationId, query);
    return { data: rows.map(asMember), meta: pageMeta(total, query) };
  },

  read: async (context, { params }) => asMember(await one(context, params.id)),

  invite: async (context, { body }) => asMember(await inviteUser(context, body)),

  inviteAgain: async (context, { params }) => {
    refuseKeys(context.user);
    await inviteAgain(context, await one(context, params.id));
    return null;
  },

  update: async (context, { params, body }) => {
    await updateUser(context, params.id, body);
    return asMember(await one(context, params.id));
  },

  remove: async (context, { params }) => {
    await removeUser(context, params.id);
    return null;
  },
};
