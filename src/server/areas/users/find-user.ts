import { ApiError } from '../../../contract/errors.ts';
import type { Database } from '../../base/db/database.ts';
import { lockOrganization } from '../../base/db/for-update.ts';
import { lockUser, type StoredUser } from '../../store/users/users-repository.ts';

/**
 * A user whom nobody else changes until the transaction ends. Two who lock each other out must not both succeed.
 * @throws ApiError not_found
 */
export async function findUserToChange(db: Database, organizationId: number, id: number): Promise<StoredUser> {
  await lockOrganization(db, organizationId);
  const row = await lockUser(db, organizationId, id);
  if (!row) throw new ApiError('not_found');
  return row;
}
