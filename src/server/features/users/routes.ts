import { pageMeta } from '../../core/db/paging.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import { orNotFound } from '../../core/http/found.ts';
import type { Handlers } from '../../core/http/handler.ts';
import { SESSION_COOKIE } from '../media/media-cookies.ts';
import { asMember, findUser, listUsers, readUser, type StoredUser } from './queries.ts';
import { refuseAbove, refuseKeys } from './rights.ts';
import {
  inviteAgain,
  inviteUser,
  removeUser,
  resetPassword,
  sendNewPassword,
  sendResetLink,
  signInWithPassword,
  signOut,
  updateUser,
} from './service.ts';

async function one({ db, organizationId }: SignedInContext, id: number): Promise<StoredUser> {
  return orNotFound(await findUser(db, organizationId, id));
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

  active: async (context) => {
    const { user, openMedia, organizationId } = context;
    // The back-office calls this first: from then on it can show images of protected rooms.
    if (user.apiKey === null) openMedia(SESSION_COOKIE);
    return readUser(context, user, organizationId);
  },

  list: async ({ db, organizationId }, { query }) => {
    const { rows, total } = await listUsers(db, organizationId, query);
    return { data: rows.map(asMember), meta: pageMeta(total, query) };
  },

  read: async (context, { params }) => asMember(await one(context, params.id)),

  invite: async (context, { body }) => {
    const { row, link } = await inviteUser(context, body);
    return { ...asMember(row), password_link: link };
  },

  inviteAgain: async (context, { params }) => {
    refuseKeys(context.user);
    const row = await one(context, params.id);
    refuseAbove(context.user, row);
    return { password_link: await inviteAgain(context, row) };
  },

  sendResetLink: async (context, { params }) => {
    refuseKeys(context.user);
    const row = await one(context, params.id);
    refuseAbove(context.user, row);
    return { password_link: await sendResetLink(context, row) };
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
