import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import { ApiError } from '../../../contract/errors.ts';
import { nextTimestamp } from '../../base/clock.ts';
import { copyName } from '../../base/copy-name.ts';
import type { Database } from '../../base/db/database.ts';
import { lockOrganization } from '../../base/db/for-update.ts';
import type { CallContext } from '../../store/call-context.ts';
import { checkParentEndpoint, checkSlug, readSlug } from '../../store/endpoints/check-endpoint.ts';
import { insertEndpoint, listEndpoints, type StoredEndpoint } from '../../store/endpoints/endpoints-repository.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { putPoster, readPosterRow } from '../../store/posters/posters-repository.ts';
import { withinQuotas } from '../../store/quotas/quotas.ts';

/** Stands for the id of a structure that has none yet. */
const NEW_ID = 0;

type Place = Pick<StoredEndpoint, 'name' | 'slug' | 'parent_endpoint_id' | 'order_rank'>;

async function storeCopy(db: Database, context: CallContext, row: StoredEndpoint, place: Place): Promise<number> {
  const { id: original, room_name: _name, room_title: _title, ...fields } = row;
  const at = nextTimestamp(context.clock);
  const columns = { ...fields, ...place, created_at: at, updated_at: at };
  const id = await insertEndpoint(db, columns);
  const poster = await readPosterRow(db, 'endpoint_id', original);
  if (poster) await putPoster(db, context, { subject: 'endpoint_id', id }, 'chosen', poster);
  const about = { entity_id: id, room_id: row.room_id, name: place.name, after: columns };
  await recordChange(db, context, {
    action: 'create',
    entity: 'endpoint',
    ...about,
    facts: { copied_from: original },
  });
  return id;
}

/**
 * Copies a structure, which shows the same space, behind the last one of its place. Access tokens are not copied: they
 * were given to people for the original.
 * @returns id of the copy
 * @throws ApiError not_found, or invalid naming the field
 */
export async function copyEndpoint(
  context: CallContext,
  id: number,
  { name, slug, parent_endpoint_id, children }: z.output<typeof calls.endpoints.copy.body>,
): Promise<number> {
  const { organizationId } = context;
  return withinQuotas(context, ['structures'], async (db) => {
    await lockOrganization(db, organizationId);
    const all = await listEndpoints(db, organizationId);
    const row = all.find((endpoint) => endpoint.id === id);
    if (!row) throw new ApiError('not_found');
    const below = children ? all.filter((endpoint) => endpoint.parent_endpoint_id === id) : [];
    const parent = parent_endpoint_id === undefined ? row.parent_endpoint_id : parent_endpoint_id;
    checkParentEndpoint(all, parent);
    if (parent !== null && below.length > 0)
      throw new ApiError('invalid', { parent_endpoint_id: ['Structures stand on two levels at most.'] });
    const title = name ?? copyName(row.name);
    const placed = { id: NEW_ID, slug: readSlug(slug || title), parent_endpoint_id: parent };
    checkSlug(all, placed);
    const last = all.filter((endpoint) => endpoint.parent_endpoint_id === parent).at(-1);
    const rank = (last?.order_rank ?? -1) + 1;
    const copy = await storeCopy(db, context, row, {
      name: title,
      slug: placed.slug,
      parent_endpoint_id: parent,
      order_rank: rank,
    });
    for (const child of below) {
      const { name: childName, slug: childSlug, order_rank } = child;
      await storeCopy(db, context, child, {
        name: childName,
        slug: childSlug,
        parent_endpoint_id: copy,
        order_rank,
      });
    }
    return copy;
  });
}
