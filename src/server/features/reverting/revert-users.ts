import { recordChange } from '../../core/changes/record-change.ts';
import { markOf } from '../../core/changes/records.ts';
import type { Kind } from '../../core/changes/revert.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import { noteMails } from '../../core/limits/quotas.ts';
import { inviteUsers } from '../users/passwords.ts';
import { insertUserRow, lockUser, type StoredUser } from '../users/queries.ts';
import { refuseAbove, refuseBeyond, refuseKeys, refuseLast, refuseOwn, refuseOwnRemoval } from '../users/rights.ts';
import { deleteUser, fieldsOfUser, refuseTaken, storeUser } from '../users/write-users.ts';

/**
 * Users, under the same rules as edits: nobody removes their own access or grants rights that they lack. Restored users
 * get a link to set a password.
 */
export const users: Kind<SignedInContext> = {
  entity: 'user',
  isNoted: () => true,
  mark: ({ db }, { entity_id }) => markOf(db, 'users', entity_id),
  create: async ({ db, context, facts }, { entity_id }) => {
    refuseKeys(context.user);
    const row = (await lockUser(db, context.organizationId, entity_id))!;
    refuseOwnRemoval(context.user, row);
    refuseAbove(context.user, row);
    await refuseLast(db, row, null);
    await deleteUser(db, context, row, facts);
    return 1;
  },
  update: async ({ db, context, facts }, { entity_id, content }) => {
    const { user } = context;
    refuseKeys(user);
    const row = (await lockUser(db, context.organizationId, entity_id))!;
    const fields = fieldsOfUser({ ...row, ...content.rows![0] });
    refuseOwn(user, row, fields);
    refuseAbove(user, row);
    refuseBeyond(user, fields.policies);
    await refuseLast(db, row, fields);
    await storeUser(db, context, row, fields, { action: 'restore', facts });
    return 1;
  },
  delete: async ({ db, context, facts, later }, { content }) => {
    refuseKeys(context.user);
    // Second factors are gone with the user: without one, this flag would refuse every sign-in.
    const row = { ...content.rows![0], password_hash: '', has_second_factor: 0 } as StoredUser;
    refuseBeyond(context.user, fieldsOfUser(row).policies);
    await refuseTaken(db, row.email);
    await insertUserRow(db, row);
    const about = { entity_id: row.id, name: row.name, after: row, facts };
    await recordChange(db, context, { action: 'restore', entity: 'user', ...about });
    if (row.is_active === 0) return 1;
    await noteMails(db, context.clock, context.organizationId);
    later.push(() => inviteUsers(context, [row]));
    return 1;
  },
};
