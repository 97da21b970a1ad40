import { ApiError } from '../../../contract/errors.ts';
import type { CallContext } from '../../store/call-context.ts';
import { findRevision as findStored, type ListedRevision } from '../../store/revisions/revisions-repository.ts';

/** @throws ApiError not_found */
export async function findRevision({ db, organizationId }: CallContext, id: number): Promise<ListedRevision> {
  const row = await findStored(db, organizationId, id);
  if (!row) throw new ApiError('not_found');
  return row;
}
