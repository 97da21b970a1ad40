import { createHash } from 'node:crypto';
import type { PublicEndpoint, PublicEndpointRow } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import { normalizeSlug } from '../../contract/slug.ts';
import type { CallContext } from '../api/handler.ts';
import { KeptAnswer } from '../api/kept-answer.ts';
import type { Database } from '../db/database.ts';
import { findEndpointByPath, listEndpoints, type StoredEndpoint } from '../endpoints/endpoints-repository.ts';
import { publicRoom } from '../rooms/public-room.ts';
import { readRoom, timestamps } from '../rooms/read-room.ts';
import { findRoom } from '../rooms/rooms-repository.ts';
import type { Services } from '../services.ts';
import { embargoOf } from './embargo.ts';

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

/** A structure as visitors get it, without its room. */
const fieldsOf = (endpoint: StoredEndpoint, slugs: readonly string[]) => ({
  id: endpoint.id,
  name: endpoint.name,
  slug: endpoint.slug,
  path: `/${slugs.join('/')}`,
  is_timed: endpoint.is_timed === 1,
  show_countdown: endpoint.show_countdown === 1,
  start_time: endpoint.start_time,
  start_time_utc_offset: endpoint.start_time_utc_offset,
  is_protected: endpoint.is_protected === 1,
});

/** A structure as a visitor who may enter gets it, with its room once that is open. */
export const showEndpoint = async (
  services: Pick<Services, 'db' | 'clock'>,
  endpoint: StoredEndpoint,
  slugs: readonly string[],
): Promise<PublicEndpoint> => {
  const opens_at = await embargoOf(services, endpoint);
  const room = opens_at === null ? await roomOf(services, endpoint) : null;
  return { ...fieldsOf(endpoint, slugs), current_time: services.clock.now() / 1000, opens_at, room };
};

/** What `showEndpoint` gives, as bytes that are kept from one request to the next. */
export async function answerEndpoint(
  { db, clock, keptRooms }: Pick<CallContext, 'db' | 'clock' | 'keptRooms'>,
  endpoint: StoredEndpoint,
  slugs: readonly string[],
): Promise<KeptAnswer | PublicEndpoint> {
  const { organization_id, room_id } = endpoint;
  const opens_at = await embargoOf({ db, clock }, endpoint);
  const isOpen = room_id !== null && opens_at === null;
  const room = isOpen ? await keptRooms.find(db, organization_id, room_id, 'public') : undefined;
  const fields = { ...fieldsOf(endpoint, slugs), opens_at };
  const current_time = clock.now() / 1000;
  if (!room) return { ...fields, current_time, room: null };
  const tag = createHash('sha256').update(JSON.stringify(fields)).digest('base64url').slice(0, 10);
  return KeptAnswer.within(`${room.tag}.${tag}`, { ...fields, current_time }, 'room', timestamps(clock), room.bytes);
}
