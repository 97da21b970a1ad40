import { ApiError } from '../../../contract/errors.ts';
import { recordEvent } from '../../store/audit/record-event.ts';
import type { SignedInContext } from '../../store/call-context.ts';
import { endOtherSessions as endOthers, endSessionOf } from '../../store/sessions/sessions.ts';
import { refuseKeys } from '../../store/users/rights.ts';

/** Ends one of the caller's sessions. @throws ApiError not_found */
export async function endSession(context: SignedInContext, id: string): Promise<void> {
  const user = context.user;
  refuseKeys(user);
  await context.db.transaction().execute(async (db) => {
    if (!(await endSessionOf(db, user.userId, id))) throw new ApiError('not_found');
    await recordEvent(db, context, { event: 'session_ended', subject: user.email });
  });
}

/** Ends all of the caller's sessions but the one that asks for it. */
export async function endOtherSessions(context: SignedInContext): Promise<void> {
  const user = context.user;
  refuseKeys(user);
  await context.db.transaction().execute(async (db) => {
    await endOthers(db, user.userId, user.session);
    await recordEvent(db, context, { event: 'session_ended', subject: user.email, details: { all_others: true } });
  });
}
