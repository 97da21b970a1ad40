import { recordEvent } from '../../store/audit/record-event.ts';
import type { SignedInContext } from '../../store/call-context.ts';
import { endSession } from '../../store/sessions/sessions.ts';

/** Ends the session that asks for it. */
export async function signOut(context: SignedInContext): Promise<void> {
  const { user } = context;
  await context.db.transaction().execute(async (db) => {
    await endSession(db, user.session);
    if (user.apiKey === null) await recordEvent(db, context, { event: 'sign_out', subject: user.email });
  });
}
