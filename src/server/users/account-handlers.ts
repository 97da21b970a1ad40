import { ApiError } from '../../contract/errors.ts';
import type { Handlers } from '../api/handler.ts';
import { recordEvent } from '../audit/record-event.ts';
import { endOtherSessions, endSessionOf, listSignIns } from '../sessions/sessions.ts';
import { asUser } from './as-user.ts';
import { changeOwnPassword } from './change-own-password.ts';
import { confirmOwn } from './confirm-own.ts';
import { refuseKeys } from './rights.ts';
import { lockUser } from './users-repository.ts';
import { fieldsOfUser, storeUser } from './write-users.ts';

export const account: Handlers<'account'> = {
  update: async (context, { body }) => {
    const user = context.user!;
    refuseKeys(user);
    await context.db.transaction().execute(async (db) => {
      const row = await lockUser(db, context.organizationId, user.userId);
      if (!row) throw new ApiError('signed_out');
      await storeUser(db, context, row, { ...fieldsOfUser(row), name: body.name }, { action: 'update' });
    });
    return { ...asUser(user), name: body.name };
  },

  changePassword: async (context, { body }) => {
    await changeOwnPassword(context, body);
    return null;
  },

  confirm: async (context, { body }) => ({ confirmation: await confirmOwn(context, body.current_password) }),

  sessions: async ({ db, clock, user }) => {
    refuseKeys(user!);
    const rows = await listSignIns(db, clock, user!.userId);
    return rows.map(({ family, signed_in_at, last_used_at, device, address }) => ({
      id: family,
      device,
      address,
      created_at: signed_in_at,
      last_used_at,
      is_current: family === user!.session,
    }));
  },

  endSession: async (context, { params }) => {
    const user = context.user!;
    refuseKeys(user);
    await context.db.transaction().execute(async (db) => {
      if (!(await endSessionOf(db, user.userId, params.id))) throw new ApiError('not_found');
      await recordEvent(db, context, { event: 'session_ended', subject: user.email });
    });
    return null;
  },

  endOtherSessions: async (context) => {
    const user = context.user!;
    refuseKeys(user);
    await context.db.transaction().execute(async (db) => {
      await endOtherSessions(db, user.userId, user.session);
      await recordEvent(db, context, { event: 'session_ended', subject: user.email, details: { all_others: true } });
    });
    return null;
  },
};
