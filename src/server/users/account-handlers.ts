import { ApiError } from '../../contract/errors.ts';
import type { Handlers } from '../api/handler.ts';
import { endOtherSessions, endSessionOf, listSignIns } from '../sessions/sessions.ts';
import { changeOwnPassword } from './change-own-password.ts';
import { asUser } from './handlers.ts';
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

  endSession: async ({ db, user }, { params }) => {
    refuseKeys(user!);
    if (!(await endSessionOf(db, user!.userId, params.id))) throw new ApiError('not_found');
    return null;
  },

  endOtherSessions: async ({ db, user }) => {
    refuseKeys(user!);
    await endOtherSessions(db, user!.userId, user!.session);
    return null;
  },
};
