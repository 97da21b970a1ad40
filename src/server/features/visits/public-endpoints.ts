import { createHash } from 'node:crypto';
import { parseTranslations, translatedLanguage } from '../../../../engine/document/text-translations.ts';
import { shownTranslation } from '../../../../engine/document/translation-fields.ts';
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
import { publicSheets } from '../media/room-sheets.ts';
import { findPoster } from '../posters/queries.ts';
import { embargoOf, type Preview } from '../publications/preview-links.ts';
import { findShownRoom, shownStateOf } from '../publications/published.ts';
import { timestamps } from '../rooms/read-room.ts';
import type { CachedRoom, RoomBytes, Side } from '../rooms/room-cache.ts';
import { languageFields } from './shown-language.ts';

/**
 * Visible structures as a tree. A branch below a hidden structure is hidden, too.
 * @param wanted language tags in order of preference, for the names
 */
export async function visibleEndpoints(
  db: Database,
  organizationId: number,
  wanted: readonly string[] = [],
): Promise<PublicEndpointRow[]> {
  const rows = await listEndpoints(db, organizationId);
  const below = Map.groupBy(
    rows.filter(({ is_visible }) => is_visible === 1),
    ({ parent_endpoint_id }) => parent_endpoint_id,
  );
  const visit = (parent: number | null, prefix: string): PublicEndpointRow[] =>
    (below.get(parent) ?? []).map((row) => {
      const { id, slug, is_protected } = row;
      const path = `${prefix}/${slug}`;
      const { name, name_language: language } = nameIn(row, wantedLanguage(row, wanted));
      const shown = { id, name, slug, path, is_protected: is_protected === 1, ...(language && { language }) };
      return { ...shown, children: visit(id, path) };
    });
  return visit(null, '');
}

/**
 * The path of the home page: the first visible structure's.
 * @throws ApiError not_found if there is none
 */
export async function homeSlugs(db: Database, organizationId: number): Promise<[string]> {
  const slug = await findHomeSlug(db, organizationId);
  if (slug === undefined) throw new ApiError('not_found');
  return [slug];
}

/**
 * Finds the structure at a public path.
 * @param slugs one or two slugs
 * @throws ApiError not_found if it is missing or hidden
 */
export async function findPublicEndpoint(
  db: Database,
  organizationId: number,
  slugs: readonly string[],
): Promise<StoredEndpoint> {
  // An invalid slug matches no row, and some characters, such as NUL, can't be queried on every database.
  if (slugs.some((slug) => slug === '' || normalizeSlug(slug) !== slug)) throw new ApiError('not_found');
  const found = await findEndpointByPath(db, organizationId, slugs);
  if (found?.endpoint.is_visible !== 1 || found.parent?.is_visible === 0) throw new ApiError('not_found');
  return found.endpoint;
}

type Named = Pick<StoredEndpoint, 'name' | 'translations'>;

/** The language of a structure's name for a visitor; undefined for the main one. */
const wantedLanguage = ({ translations }: Named, wanted: readonly string[]): string | undefined =>
  translations === '{}' ? undefined : translatedLanguage(parseTranslations(translations), wanted, 'name');

/** A structure's name in a language, if it is translated, and otherwise as it is. */
function nameIn({ name, translations }: Named, language: string | undefined) {
  const text = language && shownTranslation(parseTranslations(translations), language, 'name');
  return text ? { name: text, name_language: language } : { name };
}

/** Public fields of a structure, without its room. @param language language in which its room is shown */
const publicFieldsOf = (
  endpoint: StoredEndpoint,
  slugs: readonly string[],
  { now, language }: { now: number; language: string | undefined },
) => ({
  id: endpoint.id,
  ...nameIn(endpoint, language),
  slug: endpoint.slug,
  path: `/${slugs.join('/')}`,
  is_timed: endpoint.is_timed === 1,
  show_countdown: endpoint.show_countdown === 1,
  start_date: endpoint.start_date,
  start_time: endpoint.start_time,
  start_time_utc_offset: startOffset(endpoint, now),
  time_zone: endpoint.time_zone,
  is_protected: endpoint.is_protected === 1,
  accent_color: endpoint.accent_color,
});

type Keeper = Pick<CallContext, 'db' | 'clock' | 'roomCache' | 'settings'>;

/** A structure that a visitor may enter. */
export interface Entered {
  endpoint: StoredEndpoint;
  /** Timestamp of the visit's end; null for public structures. */
  visitEndsAt: string | null;
}

/** A structure for an admitted visitor, with its room once that is open. */
export interface OpenEndpoint<R extends RoomBytes = CachedRoom> {
  fields: Omit<PublicEndpoint, 'room' | 'current_time'>;
  room: R | undefined;
  /** URL of an image for link previews; only of public structures. */
  poster?: string | undefined;
}

/** The field with the image sheets of a room, if it has many images and the server packs them. */
function sheetsField(
  { settings }: Keeper,
  organizationId: number,
  room: CachedRoom | undefined,
  revisionId: number | null = null,
): Pick<PublicEndpoint, 'image_sheets'> {
  const sheets = room && settings.OPTIMIZE_MEDIA ? publicSheets(organizationId, room.document, revisionId) : [];
  return sheets.length > 0 ? { image_sheets: sheets } : {};
}

/**
 * Data of a structure for an admitted visitor.
 * @param side audience and format of its room
 * @param wanted language tags in order of preference
 */
export async function openEndpoint(
  keeper: Keeper,
  { endpoint, visitEndsAt }: Entered,
  slugs: readonly string[],
  side: Exclude<Side, 'admin'>,
  wanted: readonly string[],
): Promise<OpenEndpoint> {
  const { db, clock, roomCache } = keeper;
  const opens_at = await embargoOf({ db, clock }, endpoint);
  const state = opens_at === null ? await shownStateOf({ db, clock }, endpoint) : null;
  const room = state
    ? await findShownRoom({ db, roomCache }, endpoint.organization_id, state, side, wanted)
    : undefined;
  const access_ends_at = visitEndsAt === null ? null : Date.parse(visitEndsAt) / 1000;
  const poster = side === 'page' && room && endpoint.is_protected === 0 ? await sharedPoster(db, endpoint) : undefined;
  const sheets = sheetsField(keeper, endpoint.organization_id, room, state?.revisionId);
  // Visitors who wait for the opening get their own response; others share one for each language of the room.
  const language = room?.language ?? (opens_at === null ? undefined : wantedLanguage(endpoint, wanted));
  const own = publicFieldsOf(endpoint, slugs, { now: clock.now() / 1000, language });
  const fields = { ...own, ...sheets, opens_at, access_ends_at, ...languageFields(room) };
  return { fields, room, poster };
}

/**
 * The poster of a public structure for link previews: its own, or that of its space. A drawn poster shows the edited
 * space, so structures that show a published state don't use it.
 */
async function sharedPoster(db: Database, { id, room_id, shows }: StoredEndpoint): Promise<string | undefined> {
  const own = await findPoster(db, 'endpoint_id', id);
  if (own) return own.large_url;
  const poster = room_id === null ? null : await findPoster(db, 'room_id', room_id);
  return poster && (poster.is_chosen || shows === 'edited') ? poster.large_url : undefined;
}

/**
 * The structure at a path with its edited room, for the holder of a preview link: works while it is hidden, protected
 * or not yet open.
 * @param wanted language tags in order of preference
 * @returns null if the link is not for this structure and its current room
 */
export async function previewEndpoint(
  keeper: Keeper,
  organizationId: number,
  slugs: readonly string[],
  { endpointId, roomId, endsAt }: Preview,
  wanted: readonly string[],
): Promise<OpenEndpoint | null> {
  const { db, clock, roomCache } = keeper;
  if (slugs.length === 0 || slugs.some((slug) => slug === '' || normalizeSlug(slug) !== slug)) return null;
  const found = await findEndpointByPath(db, organizationId, slugs);
  if (found?.endpoint.id !== endpointId || found.endpoint.room_id !== roomId) return null;
  const room = await roomCache.find(db, organizationId, roomId, 'page', wanted);
  const sheets = sheetsField(keeper, organizationId, room);
  const at = { now: clock.now() / 1000, language: room?.language };
  const fields = publicFieldsOf(found.endpoint, slugs, at);
  return {
    fields: { ...fields, ...sheets, opens_at: null, access_ends_at: endsAt, ...languageFields(room) },
    room,
  };
}

/** Whether all callers get the same structure, now and later: no token and no countdown. */
export const isForAll = ({ fields }: OpenEndpoint<RoomBytes>): boolean =>
  !fields.is_protected && fields.opens_at === null;

/** A structure as it is kept for later responses: the room cache alone limits the memory of documents. */
export const withoutDocument = ({ room, ...open }: OpenEndpoint): OpenEndpoint<RoomBytes> => ({
  ...open,
  room: room && { bytes: room.bytes, tag: room.tag, seq: room.seq, version: room.version },
});

/** A structure with its room, as a response with cached room bytes. */
export function answerEndpoint(
  clock: Clock,
  { fields, room }: OpenEndpoint<RoomBytes>,
): CachedResponse | PublicEndpoint {
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
    /** Public structures as last read, served while the database is unavailable. */
    lastOpen: LastAnswers<OpenEndpoint<RoomBytes>>;
  }
}
