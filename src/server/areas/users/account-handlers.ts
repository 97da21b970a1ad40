import { ApiError } from '../../../contract/errors.ts';
import { recordEvent } from '../../store/audit/record-event.ts';
import { endOtherSessions, endSessionOf, listSignIns } from '../../store/sessions/sessions.ts';
import { confirmOwn } from '../../store/sign-in/confirm-own.ts';
import { asUser } from '../../store/users/as-user.ts';
import { refuseKeys } from '../../store/users/rights.ts';
import { lockUser } from '../../store/users/users-repository.ts';
import { fieldsOfUser, storeUser } from '../../store/users/write-users.ts';
import type { Handlers } from '../handler.ts';
import { changeOwnPassword } from './change-own-password.ts';

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
