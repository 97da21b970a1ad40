import { ApiError } from '../../../contract/errors.ts';
import { recordEvent } from '../../core/audit/record-event.ts';
import { nextTimestamp } from '../../core/clock.ts';
import { lockOrganization } from '../../core/db/for-update.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import { removeMessagesTo } from '../../core/mail/outbox.ts';
import { eraseHolder } from '../access-tokens/erase-holder.ts';
import { eraseEmails } from '../mailings/queries.ts';
import { findUserByEmail, lockUser } from '../users/queries.ts';
import { refuseAbove, refuseKeys, refuseLast, refuseOwnRemoval } from '../users/rights.ts';
import { deleteUser } from '../users/write-users.ts';
import {
  eraseFromAttempts,
  eraseFromEvents,
  eraseFromFeeds,
  eraseFromHistory,
  eraseFromImports,
  eraseFromSubjects,
  tracesOf,
} from './queries.ts';

/**
 * Erases a person who is or was a user of the caller's organization, or who was given access tokens or e-mails of mailings.
 * @returns whether they were a user until now, the numbers of anonymized entries and access tokens, and the number of deleted
 * messages to them
 * @throws ApiError not_found if the address is unknown, or forbidden with the reason
 */
export async function eraseUser(
  context: SignedInContext,
  email: string,
): Promise<{ was_user: boolean; entries: number; tokens: number; messages: number }> {
  const { db: database, organizationId } = context;
  const user = context.user;
  refuseKeys(user);
  const { emails, sent, ...done } = await database.transaction().execute(async (db) => {
    await lockOrganization(db, organizationId);
    const known = await findUserByEmail(db, email);
    const row = known?.organization_id === organizationId ? await lockUser(db, organizationId, known.id) : undefined;
    if (row) {
      refuseOwnRemoval(user, row);
      refuseAbove(user, row);
      await refuseLast(db, row, null);
    }
    const traces = await tracesOf(db, organizationId, email, row);
    const { tokens, records } = await eraseHolder(db, organizationId, traces.emails, nextTimestamp(context.clock));
    const { deleted: sent, selections } = await eraseEmails(db, organizationId, traces.emails);
    let entries = records + selections;
    if (traces.ids.length === 0 && tokens + sent + entries > 0) {
      await recordEvent(db, context, {
        event: 'person_erased',
        subject: 'Holder of access tokens',
        details: { tokens },
      });
      return { was_user: false, entries, tokens, sent, emails: traces.emails };
    }
    if (traces.ids.length === 0) throw new ApiError('not_found', 'No data about this e-mail address was found.');
    entries += await eraseFromEvents(db, organizationId, traces);
    if (row) await deleteUser(db, context, row);
    entries += await eraseFromSubjects(db, organizationId, traces);
    entries += await eraseFromHistory(db, organizationId, traces);
    await eraseFromImports(db, organizationId, traces);
    for (const own of traces.emails) {
      await eraseFromAttempts(db, own);
      await eraseFromFeeds(db, organizationId, own);
    }
    await recordEvent(db, context, { event: 'person_erased', subject: `User ${traces.ids.join(', ')}` });
    return { was_user: row !== undefined, entries, tokens, sent, emails: traces.emails };
  });
  let messages = sent;
  for (const own of emails) messages += await removeMessagesTo(context.settings, own);
  return { ...done, messages };
}
