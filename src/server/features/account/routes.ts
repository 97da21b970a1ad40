import type { Handlers } from '../../core/http/handler.ts';
import { readUser } from '../users/queries.ts';
import { refuseKeys } from '../users/rights.ts';
import { listSignIns } from '../users/sessions.ts';
import { confirmOwn } from '../users/sign-in.ts';
import { checkEmail, endOtherSessions, endSession, updateAccount, updateEmail, updatePassword } from './service.ts';

export const account: Handlers<'account'> = {
  update: async (context, { body }) => {
    await updateAccount(context, body.name);
    return { ...(await readUser(context, context.user, context.organizationId)), name: body.name };
  },

  askEmail: async (context, { body }) => {
    await checkEmail(context, body);
    return null;
  },

  changeEmail: async (context, { body }) => {
    await updateEmail(context, body);
    return { ...(await readUser(context, context.user, context.organizationId)), email: body.email };
  },

  changePassword: async (context, { body }) => {
    await updatePassword(context, body);
    return null;
  },

  confirm: async (context, { body }) => ({ confirmation: await confirmOwn(context, body.current_password) }),

  sessions: async ({ db, clock, user }) => {
    refuseKeys(user);
    const rows = await listSignIns(db, clock, user.userId);
    return rows.map(({ family, signed_in_at, last_used_at, device, address }) => ({
      id: family,
      device,
      address,
      created_at: signed_in_at,
      last_used_at,
      is_current: family === user.session,
    }));
  },

  endSession: async (context, { params }) => {
    await endSession(context, params.id);
    return null;
  },

  endOtherSessions: async (context) => {
    await endOtherSessions(context);
    return null;
  },
};
