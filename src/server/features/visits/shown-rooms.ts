import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallContext } from '../../core/http/call-context.ts';
import type { Services } from '../../core/services.ts';
import { listEndpoints, type StoredEndpoint } from '../endpoints/queries.ts';
import { setCookie } from '../media/media-cookies.ts';
import { embargoOf, PREVIEW_PARAMETER, previewCookie } from '../publications/preview-links.ts';
import { publishedVersion, type ShownState, shownStates, stateKey } from '../publications/published.ts';
import { findVisit } from './visitor-sessions.ts';

/** A room shown by a structure. */
export interface ShownRoom extends ShownState {
  endpointId: number;
  organizationId: number;
  isProtected: boolean;
  /** Changes with the room, its template and its files. */
  version: string;
}

/**
 * Rooms that visitors can reach, openly or with a token. Structures below a hidden one are hidden, too. If a protected
 * structure shows its room as published, the edited room counts as well: files that aren't published yet, or no longer,
 * are protected, too.
 */
export async function shownRooms({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<ShownRoom[]> {
  const rows = await db
    .selectFrom('endpoints')
    .innerJoin('rooms', 'rooms.id', 'endpoints.room_id')
    .leftJoin('templates', 'templates.id', 'rooms.template_id')
    .leftJoin('endpoints as parents', 'parents.id', 'endpoints.parent_endpoint_id')
    .select([
      'endpoints.id',
      'endpoints.organization_id',
      'endpoints.is_protected',
      'endpoints.is_visible',
      'endpoints.shows',
    ])
    .select(['endpoints.room_id', 'rooms.revision', 'templates.updated_at', 'parents.is_visible as parent_is_visible'])
    .execute();
  const reachable = rows.filter(
    (row) => row.is_protected === 1 || (row.is_visible === 1 && row.parent_is_visible !== 0),
  );
  const stateOf = await shownStates({ db, clock }, reachable);
  const shown = await Promise.all(
    reachable.map(async (row): Promise<ShownRoom[]> => {
      const { id: endpointId, organization_id: organizationId } = row;
      const isProtected = row.is_protected === 1;
      const about = { endpointId, organizationId, isProtected };
      const edited = { ...about, roomId: row.room_id!, revisionId: null, version: `${row.revision} ${row.updated_at}` };
      const state = stateOf(row);
      if (state?.revisionId === null) return [edited];
      const drafts = isProtected ? [edited] : [];
      if (!state || state.revisionId === null) return drafts;
      const version = await publishedVersion(db, organizationId, state.roomId, state.revisionId);
      return [...drafts, { ...about, ...state, version: version ?? '' }];
    }),
  );
  return shown.flat();
}

/** Structures reachable by visitors: visible, and not below a hidden one. */
export function reachableEndpoints<E extends Pick<StoredEndpoint, 'id' | 'is_visible' | 'parent_endpoint_id'>>(
  endpoints: readonly E[],
): E[] {
  const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
  return endpoints.filter(
    ({ is_visible, parent_endpoint_id: parent }) =>
      is_visible === 1 && (parent === null || byId.get(parent)?.is_visible === 1),
  );
}

/**
 * Rooms that a visitor may enter now, in their shown state: public ones, and the one opened by the visitor's token;
 * those with a countdown once it has ended.
 */
export async function enterableRooms({
  db,
  clock,
  token,
  organizationId,
}: Pick<CallContext, 'db' | 'clock' | 'token' | 'organizationId'>): Promise<
  (ShownState & { organizationId: number })[]
> {
  const visible = reachableEndpoints(await listEndpoints(db, organizationId));
  const isGuarded = visible.some(({ is_protected }) => is_protected === 1);
  const visit = isGuarded && token !== null ? await findVisit(db, clock, token) : null;
  const open = visible.filter(({ id, is_protected }) => is_protected === 0 || id === visit?.endpointId);
  const waits = await Promise.all(open.map((endpoint) => embargoOf({ db, clock }, endpoint)));
  const stateOf = await shownStates({ db, clock }, open);
  const states = open.flatMap((endpoint, index) => (waits[index] === null ? (stateOf(endpoint) ?? []) : []));
  return [...new Map(states.map((state) => [stateKey(state), { ...state, organizationId }])).values()];
}

/** The preview token in a request's URL; null if there is none. */
export function previewTokenOf({ url }: FastifyRequest): string | null {
  return new URLSearchParams(url.split('?').slice(1).join('?')).get(PREVIEW_PARAMETER);
}

/**
 * Keeps a preview's response out of caches, search engines and referrer logs, and grants the browser access to its
 * files and feeds until it ends.
 */
export function keepPreview(
  { clock, settings }: Pick<Services, 'clock' | 'settings'>,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  { endpointId, endsAt }: { endpointId: number | null; endsAt: number | null },
): void {
  reply.headers({ 'x-robots-tag': 'noindex, nofollow, noarchive', 'referrer-policy': 'no-referrer' });
  if (endpointId === null || endsAt === null) return;
  const secure = request.protocol === 'https' || settings.PUBLIC_URL?.startsWith('https:') === true;
  const maxAge = Math.max(1, Math.floor(endsAt - clock.now() / 1000));
  setCookie(reply, previewCookie(endpointId), token, { path: '/', maxAge, sameSite: 'lax', secure });
}
