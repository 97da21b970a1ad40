import { ApiError } from '../../../contract/errors.ts';
import { keepEndpoints } from '../../store/bin/removed-rows.ts';
import type { CallContext } from '../../store/call-context.ts';
import { deleteEndpoint } from '../../store/endpoints/endpoints-repository.ts';
import { recordEndpoint } from '../../store/endpoints/record-endpoint.ts';
import { lockTree } from './lock-tree.ts';

/** Removes a structure with those below it; the bin keeps them for a while. @throws ApiError not_found */
export async function removeEndpoint(context: CallContext, id: number): Promise<void> {
  await lockTree(context, async (db, all) => {
    const row = all.find((other) => other.id === id);
    if (!row) throw new ApiError('not_found');
    const children = all.filter((other) => other.parent_endpoint_id === row.id);
    const below = children.map(({ name }) => name);
    const content = await keepEndpoints(db, context.clock, [row, ...children]);
    await deleteEndpoint(db, row.id);
    await recordEndpoint(db, context, 'delete', { ...row, ...(below.length > 0 && { below }) }, undefined, { content });
  });
}
