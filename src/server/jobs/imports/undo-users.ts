import type { Database } from '../../base/db/database.ts';
import type { SignedInContext } from '../../store/call-context.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { noteMails } from '../../store/quotas/quotas.ts';
import {
  refuseAbove,
  refuseBeyond,
  refuseKeys,
  refuseLast,
  refuseOwn,
  refuseOwnRemoval,
} from '../../store/users/rights.ts';
import { insertUserRow, lockUser, type StoredUser } from '../../store/users/users-repository.ts';
import { deleteUser, fieldsOfUser, refuseTaken, storeUser } from '../../store/users/write-users.ts';
import type { UndoStep } from './undo-step.ts';

/**
 * Takes back what an import did to one user, under the same rules as an edit: nobody takes their own access away, nor
 * gives rights that they lack.
 * @returns who is there again and needs a link to set a password
 * @throws ApiError forbidden, or invalid when the address has been given to somebody else
 */
export async function takeBackUser(
  db: Database,
  context: SignedInContext,
  undoing: UndoStep & { kind: 'users' },
  job: number,
): Promise<StoredUser | undefined> {
  const user = context.user;
  refuseKeys(user);
  const facts = { undone_import: job };
  if (undoing.done === 'remove') {
    const { row } = undoing;
    refuseBeyond(user, fieldsOfUser(row).policies);
    await refuseTaken(db, row.email);
    await insertUserRow(db, row);
    const about = { entity_id: row.id, name: row.name, after: row, facts };
    await recordChange(db, context, { action: 'restore', entity: 'user', ...about });
    if (row.is_active === 0) return undefined;
    await noteMails(db, context.clock, context.organizationId);
    return row;
  }
  const row = (await lockUser(db, context.organizationId, undoing.id))!;
  if (undoing.done === 'create') {
    refuseOwnRemoval(user, row);
    refuseAbove(user, row);
    await refuseLast(db, row, null);
    await deleteUser(db, context, row, facts);
    return undefined;
  }
  const { fields } = undoing;
  refuseOwn(user, row, fields);
  refuseAbove(user, row);
  refuseBeyond(user, fields.policies);
  await refuseLast(db, row, fields);
  await storeUser(db, context, row, fields, { action: 'restore', facts });
  return undefined;
}
