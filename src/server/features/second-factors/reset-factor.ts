import { ApiError } from '../../../contract/errors.ts';
import { recordEvent } from '../../core/audit/record-event.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import { findOrganization } from '../organizations/organizations-repository.ts';
import { siteOf } from '../organizations/site-of.ts';
import { deletePasskeysOf } from '../passkeys/passkeys-repository.ts';
import { refuseAbove, refuseKeys } from '../users/rights.ts';
import { greeting, oneLine } from '../users/send-password-link.ts';
import { endSessionsOf } from '../users/sessions.ts';
import { lockUser, type StoredUser } from '../users/users-repository.ts';
import { removeFactor } from './second-factors-repository.ts';

const NO_FACTOR = 'This user has neither a second factor nor a passkey.';

/**
 * Takes the second factor, its recovery codes and the passkeys from a user who has lost them. Their sessions end: whoever
 * found the device may be in one.
 * @throws ApiError not_found, invalid when there is nothing to reset, or forbidden with the reason
 */
export async function resetFactor(context: SignedInContext, id: number): Promise<void> {
  const user = context.user;
  refuseKeys(user);
  const row = await context.db.transaction().execute(async (db) => {
    const found = await lockUser(db, context.organizationId, id);
    if (!found) throw new ApiError('not_found');
    if (found.id === user.userId)
      throw new ApiError('forbidden', "You can't reset your own second factor. Remove it in your account.");
    refuseAbove(user, found);
    const passkeys = await deletePasskeysOf(db, id);
    if (found.has_second_factor === 0 && passkeys === 0) throw new ApiError('invalid', NO_FACTOR);
    await removeFactor(db, id);
    await endSessionsOf(db, id);
    await recordEvent(db, context, { event: 'second_factor_reset', subject: found.email, details: { passkeys } });
    return found;
  });
  context.later(() => sendNotice(context, row));
}

async function sendNotice({ db, mail, user, publicUrl }: SignedInContext, row: StoredUser): Promise<void> {
  const { name } = await findOrganization(db, row.organization_id);
  const { origin } = await siteOf({ db, publicUrl }, row.organization_id);
  await mail.send({
    to: row.email,
    subject: `Your second factor for ${oneLine(name)} has been reset`,
    text: [
      greeting(oneLine(row.name)),
      `${oneLine(user.name)} has removed your second factor, your recovery codes and your passkeys for ${oneLine(name)}, and you are signed out everywhere.`,
      `Sign in with your password and set up a new one: ${origin}/admin/account`,
      'If you did not ask for it, tell an administrator at once and set a new password.',
    ].join('\n\n'),
  });
}
