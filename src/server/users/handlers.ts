import { policiesSchema, type User } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import type { Handlers, SignedIn } from '../api/handler.ts';
import { countAttempt, forgetAttempts } from '../sessions/attempts.ts';
import { checkPassword } from '../sessions/password.ts';
import { beginSession, endSession } from '../sessions/sessions.ts';

const asUser = ({ userId, name, email, policies }: SignedIn): User => ({ id: userId, name, email, policies });

export const users: Handlers<'users'> = {
  login: async ({ db, clock, address, issueToken }, { body }) => {
    const { email, password } = body;
    await countAttempt(db, clock, email, address);
    const row = await db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
    const fits = await checkPassword(row?.is_active === 1 ? row.password_hash : null, password);
    if (!row || !fits) throw new ApiError('wrong_login');
    await forgetAttempts(db, email, address);
    issueToken(await beginSession(db, clock, row.id));
    return { id: row.id, name: row.name, email: row.email, policies: policiesSchema.parse(JSON.parse(row.policies)) };
  },
  logout: async ({ db, user }) => {
    await endSession(db, user!.session);
    return null;
  },
  active: async ({ user }) => asUser(user!),
};
