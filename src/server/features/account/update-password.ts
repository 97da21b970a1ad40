import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import { ApiError } from '../../../contract/errors.ts';
import { recordEvent } from '../../core/audit/record-event.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import { countAttempt, forgetAttempts } from '../../core/limits/attempts.ts';
import { checkPassword, hashPassword } from '../../core/secrets/password.ts';
import { refuseKeys } from '../users/rights.ts';
import { endOtherSessions } from '../users/sessions.ts';
import { findUser, lockUser } from '../users/users-repository.ts';
import { removeKeysOf, storePassword } from '../users/write-users.ts';

const refusal = () =>
  new ApiError('invalid', { current_password: ['This is not your current password. Check it and try again.'] });

/**
 * Changes the caller's password, for whoever knows the one so far. Every other session and link of theirs ends.
 * @throws ApiError invalid when the current password is wrong, too_many after too many tries
 */
export async function updatePassword(
  context: SignedInContext,
  { current_password, password, revoke_api_keys }: z.output<typeof calls.account.changePassword.body>,
): Promise<void> {
  const { db: database, clock, address, organizationId } = context;
  const user = context.user;
  refuseKeys(user);
  // Whoever has got hold of a session must not guess here what they may not guess at the sign-in.
  await countAttempt(database, clock, user.email, address);
  const known = (await findUser(database, organizationId, user.userId))?.password_hash;
  if (!(await checkPassword(known || null, current_password))) throw refusal();
  const password_hash = await hashPassword(password);
  await database.transaction().execute(async (db) => {
    const row = await lockUser(db, organizationId, user.userId);
    // Somebody set another one meanwhile, with a link or elsewhere.
    if (!row || row.password_hash !== known) throw refusal();
    await storePassword(db, clock, row, password_hash);
    await endOtherSessions(db, row.id, user.session);
    if (revoke_api_keys) await removeKeysOf(db, context, row.id);
    const about = { entity_id: row.id, name: row.name, facts: { password: 'changed' } };
    await recordEvent(db, context, { event: 'password_changed', subject: row.email });
    await recordChange(db, context, { action: 'update', entity: 'user', ...about });
  });
  await forgetAttempts(database, user.email, address);
}
