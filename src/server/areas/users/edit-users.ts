import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import { ApiError } from '../../../contract/errors.ts';
import { refuseStale } from '../../base/answers/stale.ts';
import type { Database } from '../../base/db/database.ts';
import { lockOrganization } from '../../base/db/for-update.ts';
import type { CallContext } from '../../store/call-context.ts';
import { withinQuotas } from '../../store/quotas/quotas.ts';
import {
  refuseAbove,
  refuseBeyond,
  refuseKeys,
  refuseLast,
  refuseOwn,
  refuseOwnRemoval,
} from '../../store/users/rights.ts';
import { lockUser, type StoredUser } from '../../store/users/users-repository.ts';
import { deleteUser, fieldsOfUser, insertUser, refuseTaken, storeUser } from '../../store/users/write-users.ts';

/**
 * Adds a user without a password.
 * @throws ApiError forbidden when they would get rights that the caller lacks, invalid when the address is taken
 */
export async function addUser(
  context: CallContext,
  { email, name, policies }: z.output<typeof calls.users.invite.body>,
): Promise<StoredUser> {
  const user = context.user!;
  refuseKeys(user);
  refuseBeyond(user, policies);
  return withinQuotas(context, ['users', 'mails'], async (db) => {
    await refuseTaken(db, email);
    return insertUser(db, context, { email, name, policies, isActive: true }, { action: 'create' });
  });
}

/** A user whom nobody else changes until the transaction ends. Two who lock each other out must not both succeed. */
async function keepUser(db: Database, organizationId: number, id: number): Promise<StoredUser> {
  await lockOrganization(db, organizationId);
  const row = await lockUser(db, organizationId, id);
  if (!row) throw new ApiError('not_found');
  return row;
}

/**
 * Changes a user. Whoever may no longer sign in is signed out at once.
 * @throws ApiError not_found, stale, or forbidden with the reason
 */
export async function changeUser(
  context: CallContext,
  id: number,
  { updated_at, ...given }: z.output<typeof calls.users.update.body>,
): Promise<void> {
  const user = context.user!;
  refuseKeys(user);
  await context.db.transaction().execute(async (db) => {
    const row = await keepUser(db, context.organizationId, id);
    refuseStale(row.updated_at, updated_at);
    const had = fieldsOfUser(row);
    const fields = {
      name: given.name ?? had.name,
      policies: given.policies ?? had.policies,
      isActive: given.is_active ?? had.isActive,
    };
    refuseOwn(user, row, fields);
    refuseAbove(user, row);
    refuseBeyond(user, fields.policies);
    await refuseLast(db, row, fields);
    await storeUser(db, context, row, fields, { action: 'update' });
  });
}

/**
 * Removes a user with their sessions, links and API keys.
 * @throws ApiError not_found, or forbidden with the reason
 */
export async function removeUser(context: CallContext, id: number): Promise<void> {
  refuseKeys(context.user!);
  await context.db.transaction().execute(async (db) => {
    const row = await keepUser(db, context.organizationId, id);
    refuseOwnRemoval(context.user!, row);
    refuseAbove(context.user!, row);
    await refuseLast(db, row, null);
    await deleteUser(db, context, row);
  });
}
