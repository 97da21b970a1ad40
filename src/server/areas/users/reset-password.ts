import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import { ApiError } from '../../../contract/errors.ts';
import { checkPassword, hashPassword } from '../../base/secrets/password.ts';
import { recordEvent } from '../../store/audit/record-event.ts';
import type { CallContext } from '../../store/call-context.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { addressSubject, countAgainst, forgetAttempts, type Limit } from '../../store/sessions/attempts.ts';
import { endSessionsOf } from '../../store/sessions/sessions.ts';
import { actingAs } from '../../store/sign-in/sign-in-events.ts';
import { findPasswordToken, takePasswordToken } from '../../store/users/password-links.ts';
import { findUser, lockUser } from '../../store/users/users-repository.ts';
import { removeKeysOf, storePassword } from '../../store/users/write-users.ts';

const refusal = () =>
  new ApiError('invalid', {
    token: ['This link has expired or was used already. Request a new one and use the latest.'],
  });

/** Tokens of one address that are looked at in the window. */
const limitOf = (address: string): Limit => ({ subject: `reset:${addressSubject(address)}`, most: 20 });

/**
 * Sets a password with the token of a link, once; every session of the user ends.
 * @throws ApiError invalid when the token opens nothing or the password is the old one, too_many after too many tries
 */
export async function resetPassword(
  context: CallContext,
  { token, email, password, revoke_api_keys }: z.output<typeof calls.users.reset.body>,
): Promise<void> {
  const { db: database, clock, address } = context;
  await countAgainst(database, clock, [limitOf(address)]);
  const found = await findPasswordToken(database, clock, token, email);
  // Hashing is work: it is done for tokens that are good only.
  if (!found) throw refusal();
  const old = (await findUser(database, found.organizationId, found.userId))?.password_hash;
  // Whoever sets a new one because the old one is known to others must not go on with it. The link stays good.
  if (old && (await checkPassword(old, password)))
    throw new ApiError('invalid', { password: ['This is your password so far. Use another one.'] });
  const password_hash = await hashPassword(password);
  await database.transaction().execute(async (db) => {
    const row = await lockUser(db, found.organizationId, found.userId);
    if (row?.is_active !== 1 || !(await takePasswordToken(db, clock, token))) throw refusal();
    await storePassword(db, clock, row, password_hash);
    await endSessionsOf(db, row.id);
    const user = { userId: row.id, name: row.name, apiKey: null };
    const author = { ...context, organizationId: row.organization_id, user };
    if (revoke_api_keys) await removeKeysOf(db, author, row.id);
    const facts = { password: row.password_hash === '' ? 'set for the first time' : 'set anew' };
    const about = { entity_id: row.id, name: row.name, facts };
    await recordEvent(db, actingAs(context, row), { event: 'password_set', subject: row.email });
    await recordChange(db, author, { action: 'update', entity: 'user', ...about });
  });
  await forgetAttempts(database, email, address);
}
