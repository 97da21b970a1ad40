import type { PublicEndpoint, PublicEndpointRow } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import { normalizeSlug } from '../../contract/slug.ts';
import type { Database } from '../db/database.ts';
import { findEndpointByPath, listEndpoints, type StoredEndpoint } from '../endpoints/endpoints-repository.ts';
import { readRoom, timestamps } from '../rooms/read-room.ts';
import { findRoom } from '../rooms/rooms-repository.ts';
import type { Services } from '../services.ts';
import { publicRoom } from './public-room.ts';

/** The structures that visitors find, as a tree. A branch below a hidden structure is hidden with it. */
export async function visibleEndpoints(db: Database, organizationId: number): Promise<PublicEndpointRow[]> {
  const rows = await listEndpoints(db, organizationId);
  const below = Map.groupBy(
    rows.filter(({ is_visible }) => is_visible === 1),
    ({ parent_endpoint_id }) => parent_endpoint_id,
  );
  const visit = (parent: number | null, prefix: string): PublicEndpointRow[] =>
    (below.get(parent) ?? []).map(({ id, name, slug, is_protected }) => {
      const path = `${prefix}/${slug}`;
      return { id, name, slug, path, is_protected: is_protected === 1, children: visit(id, path) };
    });
  return visit(null, '');
}

async function roomOf({ db, clock }: Pick<Services, 'db' | 'clock'>, { organization_id, room_id }: StoredEndpoint) {
  const row = room_id === null ? undefined : await findRoom(db, organization_id, room_id);
  return row ? { ...publicRoom(await readRoom(db, row)), ...timestamps(clock) } : null;
}

/**
 * Finds the structure at a public address.
 * @param slugs one or two parts of the address
 * @throws ApiError not_found when there is none or it is hidden
 */
export async function findPublicEndpoint(
  db: Database,
  organizationId: number,
  slugs: readonly string[],
): Promise<StoredEndpoint> {
  // What is no slug stands in no row; some of it, such as a NUL, not every database can even look for.
  if (slugs.some((slug) => slug === '' || normalizeSlug(slug) !== slug)) throw new ApiError('not_found');
  const found = await findEndpointByPath(db, organizationId, slugs);
  if (found?.endpoint.is_visible !== 1 || found.parent?.is_visible === 0) throw new ApiError('not_found');
  return found.endpoint;
}

/** A structure as a visitor who may enter gets it, with its room. */
export async function showEndpoint(
  services: Pick<Services, 'db' | 'clock'>,
  endpoint: StoredEndpoint,
  slugs: readonly string[],
): Promise<PublicEndpoint> {
  return {
    id: endpoint.id,
    name: endpoint.name,
    slug: endpoint.slug,
    path: `/${slugs.join('/')}`,
    is_timed: endpoint.is_timed === 1,
    show_countdown: endpoint.show_countdown === 1,
    start_time: endpoint.start_time,
    start_time_utc_offset: endpoint.start_time_utc_offset,
    is_protected: endpoint.is_protected === 1,
    current_time: services.clock.now() / 1000,
    room: await roomOf(services, endpoint),
  };
}
