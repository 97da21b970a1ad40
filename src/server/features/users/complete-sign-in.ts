import type { User } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { recordEvent } from '../../core/audit/record-event.ts';
import { timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { deviceOf } from '../../core/device.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { SESSION_COOKIE } from '../media/media-cookies.ts';
import { readUser } from './read-user.ts';
import { beginSession, peekSession, type SignInMethod } from './sessions.ts';
import { actingAs } from './sign-in-events.ts';
import { lockUser, type StoredUser } from './users-repository.ts';

/** How somebody has shown who they are. */
export interface Proof {
  method: SignInMethod;
  /** What the audit log says of it besides. */
  details?: object;
  /**
   * What must happen with it, in the same transaction, such as a code that is used up.
   * @throws ApiError when it does not hold any more
   */
  use?(db: Database): Promise<void>;
}

/** Words of the audit log for the ways to sign in. */
const BY: Record<SignInMethod, string> = {
  password: 'password',
  passkey: 'passkey',
  identity_provider: 'identity provider',
};

/**
 * Begins a session for whoever has shown who they are, and hands out its token.
 * @param known the user as they were when it was shown
 * @throws ApiError wrong_login when they may no longer sign in, or have another password by now
 */
export async function completeSignIn(
  context: CallContext,
  known: StoredUser,
  { method, details, use }: Proof,
): Promise<User> {
  const { clock, address, userAgent } = context;
  const token = await context.db.transaction().execute(async (db) => {
    const row = await lockUser(db, known.organization_id, known.id);
    if (row?.is_active !== 1 || row.password_hash !== known.password_hash) throw new ApiError('wrong_login');
    await use?.(db);
    const seen = { last_seen_at: timestampOf(clock.now()) };
    await db.updateTable('users').set(seen).where('id', '=', row.id).execute();
    await recordEvent(db, actingAs(context, row), {
      event: 'sign_in',
      subject: row.email,
      details: { by: BY[method], ...details },
    });
    return beginSession(db, clock, row.id, { device: deviceOf(userAgent), address, method });
  });
  const session = await peekSession(context.db, clock, token);
  if (!session) throw new ApiError('wrong_login');
  context.issueToken(token);
  context.openMedia(SESSION_COOKIE);
  return readUser(context, session.user, known.organization_id);
}
