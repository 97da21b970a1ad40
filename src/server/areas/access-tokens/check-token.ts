import { ApiError } from '../../../contract/errors.ts';
import type { Database } from '../../base/db/database.ts';
import type { StoredToken } from '../../store/access-tokens/access-tokens-repository.ts';
import { findEndpoint } from '../../store/endpoints/endpoints-repository.ts';

/**
 * The structure that a token is for.
 * @throws ApiError invalid where there is none
 */
export async function checkEndpoint(db: Database, organizationId: number, id: number) {
  const endpoint = await findEndpoint(db, organizationId, id);
  if (!endpoint) throw new ApiError('invalid', { endpoint_id: ['This structure does not exist. Choose another one.'] });
  return endpoint;
}

/** Refuses a time that is over before it begins. */
export function checkTimes({ valid_from, valid_till }: Pick<StoredToken, 'valid_from' | 'valid_till'>): void {
  if (valid_from !== null && valid_till !== null && valid_till <= valid_from)
    throw new ApiError('invalid', { valid_till: ['It must end after it begins.'] });
}
