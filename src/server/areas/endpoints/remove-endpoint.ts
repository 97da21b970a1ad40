import { ApiError } from '../../../contract/errors.ts';
import type { CallContext } from '../../store/call-context.ts';
import { deleteEndpoint } from '../../store/endpoints/endpoints-repository.ts';
import { recordEndpoint } from '../../store/endpoints/record-endpoint.ts';
import { lockTree } from './lock-tree.ts';

/** Removes a structure with those below it. @throws ApiError not_found */
export async function removeEndpoint(context: CallContext, id: number): Promise<void> {
  await lockTree(context, async (db, all) => {
    const row = all.find((other) => other.id === id);
    if (!row) throw new ApiError('not_found');
    const below = all.filter((other) => other.parent_endpoint_id === row.id).map(({ name }) => name);
    await deleteEndpoint(db, row.id);
    await recordEndpoint(db, context, 'delete', { ...row, ...(below.length > 0 && { below }) });
  });
}
