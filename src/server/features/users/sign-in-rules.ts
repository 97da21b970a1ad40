import { ApiError } from '../../../contract/errors.ts';
import type { Database } from '../../core/db/database.ts';
import type { StoredUser } from './users-repository.ts';

/**
 * Refuses to sign somebody in with a password whose organization has turned that off. It is said to those only who know
 * the password.
 * @throws ApiError forbidden
 */
export async function refusePasswords(db: Database, { organization_id }: StoredUser): Promise<void> {
  const { has_password_sign_in } = await db
    .selectFrom('organizations')
    .select('has_password_sign_in')
    .where('id', '=', organization_id)
    .executeTakeFirstOrThrow();
  if (has_password_sign_in === 0)
    throw new ApiError('forbidden', 'Your organization does not sign in with passwords. Use its own sign-in instead.');
}
