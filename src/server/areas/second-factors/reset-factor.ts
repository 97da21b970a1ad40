import { ApiError } from '../../../contract/errors.ts';
import { recordEvent } from '../../store/audit/record-event.ts';
import type { CallContext } from '../../store/call-context.ts';
import { removeFactor } from '../../store/second-factors/second-factors-repository.ts';
import { endSessionsOf } from '../../store/sessions/sessions.ts';
import { refuseAbove, refuseKeys } from '../../store/users/rights.ts';
import { greeting, oneLine } from '../../store/users/send-password-link.ts';
import { lockUser, type StoredUser } from '../../store/users/users-repository.ts';

const NONE = 'This user has neither a second factor nor a passkey.';

/**
 * Takes the second factor, its recovery codes and the passkeys from a user who has lost them. Their sessions end: whoever
 * found the device may be in one.
 * @throws ApiError not_found, invalid when there is nothing to reset, or forbidden with the reason
 */
export async function resetFactor(context: CallContext, id: number): Promise<void> {
  const user = context.user!;
  refuseKeys(user);
  const row = await context.db.transaction().execute(async (db) => {
    const found = await lockUser(db, context.organizationId, id);
    if (!found) throw new ApiError('not_found');
    if (found.id === user.userId)
      throw new ApiError('forbidden', "You can't reset your own second factor. Remove it in your account.");
    refuseAbove(user, found);
    const { numDeletedRows: passkeys } = await db.deleteFrom('passkeys').where('user_id', '=', id).executeTakeFirst();
    if (found.has_second_factor === 0 && passkeys === 0n) throw new ApiError('invalid', NONE);
    await removeFactor(db, id);
    await endSessionsOf(db, id);
    const details = { passkeys: Number(passkeys) };
    await recordEvent(db, context, { event: 'second_factor_reset', subject: found.email, details });
    return found;
  });
  context.later(() => sendNotice(context, row));
}

async function sendNotice({ db, mail, user, publicUrl }: CallContext, row: StoredUser): Promise<void> {
  const { name } = await db
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', row.organization_id)
    .executeTakeFirstOrThrow();
  await mail.send({
    to: row.email,
    subject: `Your second factor for ${oneLine(name)} has been reset`,
    text: [
      greeting(oneLine(row.name)),
      `${oneLine(user!.name)} has removed your second factor, your recovery codes and your passkeys for ${oneLine(name)}, and you are signed out everywhere.`,
      `Sign in with your password and set up a new one: ${publicUrl()}/admin/account`,
      'If you did not ask for it, tell an administrator at once and set a new password.',
    ].join('\n\n'),
  });
}
