import { createHash } from 'node:crypto';
import type { PublicEndpoint, PublicEndpointRow } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { startOffset } from '../../../contract/opening.ts';
import { normalizeSlug } from '../../../contract/slug.ts';
import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import type { LastAnswers } from '../../core/db/last-answers.ts';
import { CachedResponse } from '../../core/http/cached-response.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { findEndpointByPath, findHomeSlug, listEndpoints, type StoredEndpoint } from '../endpoints/queries.ts';
import { findPoster } from '../posters/queries.ts';
import { embargoOf, type Preview } from '../publications/preview-links.ts';
import { findShownRoom, shownStateOf } from '../publications/published.ts';
import { timestamps } from '../rooms/read-room.ts';
import type { RoomBytes, Side } from '../rooms/room-cache.ts';

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

/**
 * The public address that the home page stands for: the first visible structure's.
 * @throws ApiError not_found when there is none
 */
export async function homeSlugs(db: Database, organizationId: number): Promise<[string]> {
  const slug = await findHomeSlug(db, organizationId);
  if (slug === undefined) throw new ApiError('not_found');
  return [slug];
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
const publicFieldsOf = (endpoint: StoredEndpoint, slugs: readonly string[], now: number) => ({
  id: endpoint.id,
  name: endpoint.name,
  slug: endpoint.slug,
  path: `/${slugs.join('/')}`,
  is_timed: endpoint.is_timed === 1,
  show_countdown: endpoint.show_countdown === 1,
  start_time: endpoint.start_time,
  start_time_utc_offset: startOffset(endpoint, now),
  time_zone: endpoint.time_zone,
  is_protected: endpoint.is_protected === 1,
});

type Keeper = Pick<CallContext, 'db' | 'clock' | 'roomCache'>;

/** A structure that a visitor may enter. */
export interface Entered {
  endpoint: StoredEndpoint;
  /** Stamp at which the visit ends; null where no code is asked for. */
  visitEndsAt: string | null;
}

/** A structure as a visitor who may enter finds it, and its room once that is open. */
export interface OpenEndpoint {
  fields: Omit<PublicEndpoint, 'room' | 'current_time'>;
  room: RoomBytes | undefined;
  /** Address of an image for link previews: only of what everybody sees. */
  poster?: string | undefined;
}

/**
 * What a visitor who may enter a structure is given.
 * @param side in which form its room is wanted
 */
export async function openEndpoint(
  { db, clock, roomCache }: Keeper,
  { endpoint, visitEndsAt }: Entered,
  slugs: readonly string[],
  side: Exclude<Side, 'admin'>,
): Promise<OpenEndpoint> {
  const opens_at = await embargoOf({ db, clock }, endpoint);
  const state = opens_at === null ? await shownStateOf({ db, clock }, endpoint) : null;
  const room = state ? await findShownRoom({ db, roomCache }, endpoint.organization_id, state, side) : undefined;
  const access_ends_at = visitEndsAt === null ? null : Date.parse(visitEndsAt) / 1000;
  const poster = side === 'page' && room && endpoint.is_protected === 0 ? await sharedPoster(db, endpoint) : undefined;
  return { fields: { ...publicFieldsOf(endpoint, slugs, clock.now() / 1000), opens_at, access_ends_at }, room, poster };
}

/**
 * The poster of an open structure for link previews: its own, or that of its space. One that was drawn shows the space as it is edited, which is nothing to
 * visitors of a structure that shows it as it is published.
 */
async function sharedPoster(db: Database, { id, room_id, shows }: StoredEndpoint): Promise<string | undefined> {
  const own = await findPoster(db, 'endpoint_id', id);
  if (own) return own.large_url;
  const poster = room_id === null ? null : await findPoster(db, 'room_id', room_id);
  return poster && (poster.is_chosen || shows === 'edited') ? poster.large_url : undefined;
}

/**
 * The structure at an address with its room as it is edited, for whoever has a preview link of it: also while it is hidden,
 * protected or not yet open.
 * @returns null where the link is not of this structure and the room that it shows
 */
export async function previewEndpoint(
  { db, clock, roomCache }: Keeper,
  organizationId: number,
  slugs: readonly string[],
  { endpointId, roomId, endsAt }: Preview,
): Promise<OpenEndpoint | null> {
  if (slugs.length === 0 || slugs.some((slug) => slug === '' || normalizeSlug(slug) !== slug)) return null;
  const found = await findEndpointByPath(db, organizationId, slugs);
  if (found?.endpoint.id !== endpointId || found.endpoint.room_id !== roomId) return null;
  const room = await roomCache.find(db, organizationId, roomId, 'page');
  return {
    fields: { ...publicFieldsOf(found.endpoint, slugs, clock.now() / 1000), opens_at: null, access_ends_at: endsAt },
    room,
  };
}

/** Whether everybody who asks finds a structure as it is here, now and later: no code opens it, and no countdown. */
export const isForAll = ({ fields }: OpenEndpoint): boolean => !fields.is_protected && fields.opens_at === null;

/** A structure with its room, as an answer whose room is kept as bytes from one request to the next. */
export function answerEndpoint(clock: Clock, { fields, room }: OpenEndpoint): CachedResponse | PublicEndpoint {
  const current_time = clock.now() / 1000;
  if (!room) return { ...fields, current_time, room: null };
  const tag = createHash('sha256').update(JSON.stringify(fields)).digest('base64url').slice(0, 10);
  return CachedResponse.within(
    `${room.tag}.${tag}`,
    { ...fields, current_time },
    'room',
    { ...timestamps(clock), tag: room.tag },
    room.bytes,
  );
}

declare module '../../core/http/call-context.ts' {
  interface CallContext {
    /** Open structures as last read, to answer from while the database is away. */
    lastOpen: LastAnswers<OpenEndpoint>;
  }
}
