import { type Policies, policiesSchema } from '../../../contract/entities.ts';
import { startOf } from '../../../contract/opening.ts';
import { openToken, sealToken } from '../../core/secrets/seal-token.ts';
import type { Services } from '../../core/services.ts';
import type { ServerSettings } from '../../core/settings.ts';
import { findEndpoint, type StoredEndpoint } from '../endpoints/queries.ts';
import { findRoom } from '../rooms/queries.ts';
import { findUser } from '../users/queries.ts';
import { revisionFacts, shownStateOf } from './published.ts';

/** Name of the parameter that a preview's address has. */
export const PREVIEW_PARAMETER = 'preview';
const PREVIEW_COOKIE = 'enfilade_preview_';
/** The cookie with which a browser that has opened a preview gets the files and feeds of it. */
export const previewCookie = (endpointId: number): string => `${PREVIEW_COOKIE}${endpointId}`;

/** What a preview link opens: a structure with its space as it is edited. */
export interface Preview {
  endpointId: number;
  /** The space that it showed then: with another one, the link opens nothing. */
  roomId: number;
  /** Seconds since 1970 at which it ends. */
  endsAt: number;
  /** Who made the link: it opens what they may see. */
  userId: number;
}

/** A link of one organization opens nothing of another. */
const sealPlaceOfPreview = (organizationId: number) => `preview ${organizationId}`;

/** What stands in the address of a preview: sealed with the server's key, so that nobody can make or change one. */
export const sealPreview = (
  settings: ServerSettings,
  organizationId: number,
  { endpointId, roomId, endsAt, userId }: Preview,
): Promise<string> =>
  sealToken(settings, sealPlaceOfPreview(organizationId), `${endpointId} ${roomId} ${endsAt} ${userId}`);

/** Whether a structure is open to everybody: visible with what it is in, without access tokens, and not before its start. */
async function isOpenToAll({ db, clock }: Pick<Services, 'db' | 'clock'>, endpoint: StoredEndpoint): Promise<boolean> {
  if (endpoint.is_visible === 0 || endpoint.is_protected === 1) return false;
  const { parent_endpoint_id: parentId, organization_id: organizationId } = endpoint;
  if (parentId !== null && (await findEndpoint(db, organizationId, parentId))?.is_visible !== 1) return false;
  return (await embargoOf({ db, clock }, endpoint)) === null;
}

/** Whether somebody may preview a space at a structure; other structures than open ones need the right to see structures. */
export async function mayPreview(
  services: Pick<Services, 'db' | 'clock'>,
  { rooms, endpoints }: Policies,
  endpoint: StoredEndpoint,
): Promise<boolean> {
  if (!rooms.update) return false;
  return endpoints.view_any || isOpenToAll(services, endpoint);
}

/** Whether the creator of a preview may still see what it opens. */
async function isCreatorIn(
  services: Pick<Services, 'db' | 'clock'>,
  organizationId: number,
  { endpointId, userId }: Preview,
): Promise<boolean> {
  const user = await findUser(services.db, organizationId, userId);
  const endpoint = await findEndpoint(services.db, organizationId, endpointId);
  if (user?.is_active !== 1 || !endpoint) return false;
  return mayPreview(services, policiesSchema.parse(JSON.parse(user.policies)), endpoint);
}

/**
 * The preview that a token opens now; null where it was changed, has expired, is another organization's, or its creator
 * may no longer see it.
 */
export async function openPreview(
  services: Pick<Services, 'db' | 'settings' | 'clock'>,
  organizationId: number,
  token: string,
): Promise<Preview | null> {
  const { settings, clock } = services;
  const text = token.length > 300 ? null : await openToken(settings, sealPlaceOfPreview(organizationId), token);
  const [endpointId, roomId, endsAt, userId] = (text ?? '').split(' ').map(Number);
  if (!endpointId || !roomId || !endsAt || !userId || endsAt * 1000 <= clock.now()) return null;
  const preview = { endpointId, roomId, endsAt, userId };
  return (await isCreatorIn(services, organizationId, preview)) ? preview : null;
}

/** The tokens of previews among the cookies of a request. */
export const previewTokens = (cookies: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(cookies).flatMap(([name, token]) => (name.startsWith(PREVIEW_COOKIE) && token ? token : []));

/** Seconds that the sequence lasts that a structure shows; null where it shows none. */
async function durationOf(services: Pick<Services, 'db' | 'clock'>, endpoint: StoredEndpoint): Promise<number | null> {
  const { db } = services;
  const state = await shownStateOf(services, endpoint);
  if (state === null) return null;
  if (state.revisionId !== null)
    return (await revisionFacts(db, endpoint.organization_id, state.revisionId))?.duration ?? null;
  const row = await findRoom(db, endpoint.organization_id, state.roomId);
  const { duration }: { duration?: number | null } = row ? JSON.parse(row.config) : {};
  return duration ?? null;
}

/**
 * When the room of a structure with a countdown opens. Until then nothing of it is sent.
 * @returns seconds since 1970; null where visitors may enter now
 */
export async function embargoOf(
  services: Pick<Services, 'db' | 'clock'>,
  endpoint: StoredEndpoint,
): Promise<number | null> {
  const { show_countdown, start_time, start_time_utc_offset, time_zone } = endpoint;
  if (show_countdown === 0) return null;
  // A countdown needs a start, not a timed sequence behind it.
  const current_time = services.clock.now() / 1000;
  const timing = { is_timed: true, start_time, start_time_utc_offset, time_zone, current_time };
  const isAhead = (start: number | null) => start !== null && start > timing.current_time;
  if (!isAhead(startOf(timing, null))) return null;
  const start = startOf(timing, await durationOf(services, endpoint));
  return isAhead(start) ? start : null;
}
