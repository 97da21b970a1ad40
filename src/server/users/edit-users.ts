import type { z } from 'zod';
import type { calls } from '../../contract/calls.ts';
import type { Policies } from '../../contract/entities.ts';
import { policiesSchema } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import type { CallContext, SignedIn } from '../api/handler.ts';
import { refuseStale } from '../api/stale.ts';
import { nextStamp } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { lockOrganization } from '../db/for-update.ts';
import { recordChange } from '../history/record-change.ts';
import { endSessionsOf } from '../sessions/sessions.ts';
import { forgetPasswordTokens } from './password-links.ts';
import { refuseBeyond, refuseKeys } from './rights.ts';
import { findUserByEmail, hasOtherKeeper, lockUser, type StoredUser } from './users-repository.ts';

/**
 * Adds a user without a password.
 * @throws ApiError forbidden when they would get rights that the caller lacks, invalid when the address is taken
 */
export async function addUser(
  context: CallContext,
  { email, name, policies }: z.output<typeof calls.users.invite.body>,
): Promise<StoredUser> {
  const { organizationId, clock } = context;
  const user = context.user!;
  refuseKeys(user);
  refuseBeyond(user, policies);
  return context.db.transaction().execute(async (db) => {
    if (await findUserByEmail(db, email))
      throw new ApiError('invalid', { email: ['A user has this address already. Use another one.'] });
    const at = nextStamp(clock);
    const row = await db
      .insertInto('users')
      .values({
        organization_id: organizationId,
        email,
        name,
        password_hash: '',
        policies: JSON.stringify(policies),
        is_active: 1,
        last_seen_at: null,
        created_at: at,
        updated_at: at,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordChange(db, context, { action: 'create', entity: 'user', entity_id: row.id, name, after: row });
    return row;
  });
}

const sameRights = (one: Policies, other: Policies) => JSON.stringify(one) === JSON.stringify(other);

/** Refuses what nobody may do to themselves: an administrator who is tricked or mistaken can not undo it. */
function refuseOwn({ userId }: SignedIn, row: StoredUser, policies: Policies, isActive: boolean): void {
  if (userId !== row.id) return;
  if (!sameRights(policies, policiesSchema.parse(JSON.parse(row.policies))))
    throw new ApiError('forbidden', { policies: ['You can not change your own rights. Ask another administrator.'] });
  if (!isActive)
    throw new ApiError('forbidden', { is_active: ['You can not lock yourself out. Ask another administrator.'] });
}

/** Refuses to take the settings from the last user who may change them. */
async function refuseLast(db: Database, row: StoredUser, policies: Policies, isActive: boolean): Promise<void> {
  const kept = row.is_active === 1 && policiesSchema.parse(JSON.parse(row.policies)).settings.update;
  if (!kept || (isActive && policies.settings.update)) return;
  if (await hasOtherKeeper(db, row.organization_id, row.id)) return;
  throw new ApiError(
    'forbidden',
    'This is the last user who may change the settings. Give that right to another one first.',
  );
}

/**
 * Changes a user. Whoever may no longer sign in is signed out at once.
 * @throws ApiError not_found, stale, or forbidden with the reason
 */
export async function changeUser(
  context: CallContext,
  id: number,
  { updated_at, ...fields }: z.output<typeof calls.users.update.body>,
): Promise<void> {
  const { organizationId, clock } = context;
  const user = context.user!;
  refuseKeys(user);
  await context.db.transaction().execute(async (db) => {
    // Two who lock each other out at the same moment must not both succeed.
    await lockOrganization(db, organizationId);
    const row = await lockUser(db, organizationId, id);
    if (!row) throw new ApiError('not_found');
    refuseStale(row.updated_at, updated_at);
    const had = policiesSchema.parse(JSON.parse(row.policies));
    const policies = fields.policies ?? had;
    const isActive = fields.is_active ?? row.is_active === 1;
    refuseOwn(user, row, policies, isActive);
    refuseBeyond(user, policies, had);
    await refuseLast(db, row, policies, isActive);
    const columns = {
      name: fields.name ?? row.name,
      policies: JSON.stringify(policies),
      is_active: Number(isActive),
    };
    await db
      .updateTable('users')
      .set({ ...columns, updated_at: nextStamp(clock, row.updated_at) })
      .where('id', '=', id)
      .execute();
    if (!isActive) {
      await endSessionsOf(db, id);
      await forgetPasswordTokens(db, id);
    }
    const about = { entity_id: id, name: columns.name, before: row, after: { ...row, ...columns } };
    await recordChange(db, context, { action: 'update', entity: 'user', ...about });
  });
}
