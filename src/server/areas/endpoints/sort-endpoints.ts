import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { CallContext } from '../../store/call-context.ts';
import { checkSlug } from '../../store/endpoints/check-endpoint.ts';
import { type EndpointPlace, placeEndpoints } from '../../store/endpoints/endpoints-repository.ts';
import { keepOldAddresses } from '../../store/endpoints/old-addresses.ts';
import { recordOrder } from '../../store/endpoints/record-endpoint.ts';
import { lockTree } from './lock-tree.ts';

/**
 * Puts all structures into their places.
 * @throws ApiError invalid where one is missing, or two would have the same path
 */
export async function sortEndpoints(
  context: CallContext,
  body: z.output<typeof calls.endpoints.reorder.body>,
): Promise<void> {
  const places = body.sort.flatMap(({ id, children }, rank): EndpointPlace[] => [
    { id, parent: null, rank },
    ...children.map((child, childRank) => ({ id: child.id, parent: id, rank: childRank })),
  ]);
  await lockTree(context, async (db, all) => {
    const named = new Map(places.map((place) => [place.id, place]));
    if (places.length !== all.length || !all.every(({ id }) => named.has(id)))
      throw new ApiError('invalid', { sort: ['The order must name every structure once.'] });
    const moved = all.map(({ id, slug }) => ({ id, slug, parent_endpoint_id: named.get(id)!.parent }));
    for (const endpoint of moved) checkSlug(moved, endpoint);
    await placeEndpoints(db, places);
    await keepOldAddresses(db, context, all, moved);
    await recordOrder(db, context, all, places);
  });
}
