import { type EventSource, recordEvent } from '../../core/audit/record-event.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { addAttempts, isCounted, lockSubjects, TooManyAttempts } from '../../core/limits/attempts.ts';
import { findUserByEmail, type StoredUser } from './users-repository.ts';

type Somebody = Pick<StoredUser, 'id' | 'name' | 'organization_id'>;

/** The context of a call in the name of somebody who has no session, or not yet. */
export const actingAs = (context: CallContext, { id, name, organization_id }: Somebody): EventSource => ({
  ...context,
  organizationId: organization_id,
  user: { userId: id, name, apiKey: null },
});

/** Where an attempt belongs of which nobody knows whose it is: to the known user's organization, or the host's. */
const attemptOf = (context: CallContext, row: Somebody | undefined): EventSource => ({
  ...context,
  organizationId: row?.organization_id ?? context.organizationId,
  user: null,
});

/** Notes an attempt to sign in that failed. */
export async function recordFailure(
  context: CallContext,
  email: string,
  row: Somebody | undefined,
  by: string,
): Promise<void> {
  await recordEvent(context.db, attemptOf(context, row), {
    event: 'sign_in_failed',
    subject: email,
    details: { by },
  });
}

/**
 * Does what counts an attempt to sign in. Where it is refused, that is noted once for each limit and window: refused
 * attempts must not fill the disk.
 * @throws TooManyAttempts
 */
export async function countSignIn(context: CallContext, email: string, count: () => Promise<void>): Promise<void> {
  try {
    await count();
  } catch (error) {
    if (error instanceof TooManyAttempts) await recordLock(context, email, error.subject);
    throw error;
  }
}

async function recordLock(context: CallContext, email: string, limit: string): Promise<void> {
  const row = await findUserByEmail(context.db, email);
  const noted = { subject: `noted:${limit}`, most: 1 };
  await context.db.transaction().execute(async (db) => {
    await lockSubjects(db, [noted]);
    if (await isCounted(db, context.clock, noted.subject)) return;
    await addAttempts(db, context.clock, [noted.subject]);
    const subject = limit.startsWith('address:') ? context.address : email;
    await recordEvent(db, attemptOf(context, row), { event: 'sign_in_locked', subject });
  });
}
