import { type Policies, policiesSchema } from '../../../contract/entities.ts';
import { startOf } from '../../../contract/opening.ts';
import { openToken, sealToken } from '../../core/secrets/seal-token.ts';
import type { Services } from '../../core/services.ts';
import type { ServerSettings } from '../../core/settings.ts';
import { findEndpoint, type StoredEndpoint } from '../endpoints/queries.ts';
import { findRoom } from '../rooms/queries.ts';
import { databaseFor, limitsFrom } from '../users/limits.ts';
import { findUser } from '../users/queries.ts';
import { revisionFacts, shownStateOf } from './published.ts';

/** Query parameter of a preview link. */
export const PREVIEW_PARAMETER = 'preview';
const PREVIEW_COOKIE = 'enfilade_preview_';
/** Cookie that grants a browser access to the files and feeds of an opened preview. */
export const previewCookie = (endpointId: number): string => `${PREVIEW_COOKIE}${endpointId}`;

/** Content of a preview link: a structure with its edited space. */
export interface Preview {
  endpointId: number;
  /** The space shown when it was created: the link stops working if the structure shows another one. */
  roomId: number;
  /** Expiry in seconds since 1970. */
  endsAt: number;
  /** Creator of the link, whose rights limit it. */
  userId: number;
}

/** Encryption context: a link works only in its own organization. */
const sealPlaceOfPreview = (organizationId: number) => `preview ${organizationId}`;

/** Encrypts a preview for its URL with the server's key, so that links can't be forged. */
export const sealPreview = (
  settings: ServerSettings,
  organizationId: number,
  { endpointId, roomId, endsAt, userId }: Preview,
): Promise<string> =>
  sealToken(settings, sealPlaceOfPreview(organizationId), `${endpointId} ${roomId} ${endsAt} ${userId}`);

/** Whether a structure is public: visible with its ancestors, without access tokens, and started. */
export async function isOpenToAll(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  endpoint: StoredEndpoint,
): Promise<boolean> {
  if (endpoint.is_visible === 0 || endpoint.is_protected === 1) return false;
  const { parent_endpoint_id: parentId, organization_id: organizationId } = endpoint;
  if (parentId !== null && (await findEndpoint(db, organizationId, parentId))?.is_visible !== 1) return false;
  return (await embargoOf({ db, clock }, endpoint)) === null;
}

/** Whether a user may preview a space in a structure; non-public structures require the right to see structures. */
export async function mayPreview(
  services: Pick<Services, 'db' | 'clock'>,
  { rooms, endpoints }: Policies,
  endpoint: StoredEndpoint,
): Promise<boolean> {
  if (!rooms.update) return false;
  return endpoints.view_any || isOpenToAll(services, endpoint);
}

/** Whether a preview's creator may still see its content. */
async function isCreatorIn(
  services: Pick<Services, 'db' | 'clock'>,
  organizationId: number,
  { endpointId, roomId, userId }: Preview,
): Promise<boolean> {
  const user = await findUser(services.db, organizationId, userId);
  if (user?.is_active !== 1) return false;
  const db = databaseFor(services.db, { userId, limits: limitsFrom(user.limits) });
  const endpoint = await findEndpoint(db, organizationId, endpointId);
  if (!endpoint || !(await findRoom(db, organizationId, roomId))) return false;
  return mayPreview(services, policiesSchema.parse(JSON.parse(user.policies)), endpoint);
}

/**
 * Opens a preview token; null if it was tampered with, has expired, belongs to another organization, or its creator has
 * lost the right.
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

/** Preview tokens in a request's cookies. */
export const previewTokens = (cookies: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(cookies).flatMap(([name, token]) => (name.startsWith(PREVIEW_COOKIE) && token ? token : []));

/** Duration in seconds of the sequence in a structure's room; null if there is none. */
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
 * Opening time of a structure with a countdown. Until then, none of its content is sent.
 * @returns seconds since 1970; null if visitors may enter now
 */
export async function embargoOf(
  services: Pick<Services, 'db' | 'clock'>,
  endpoint: StoredEndpoint,
): Promise<number | null> {
  const { show_countdown, start_date, start_time, start_time_utc_offset, time_zone } = endpoint;
  if (show_countdown === 0) return null;
  // Only a start time delays the opening, not a timed sequence.
  const current_time = services.clock.now() / 1000;
  const timing = { is_timed: true, start_date, start_time, start_time_utc_offset, time_zone, current_time };
  const isAhead = (start: number | null) => start !== null && start > timing.current_time;
  if (!isAhead(startOf(timing, null))) return null;
  const start = startOf(timing, await durationOf(services, endpoint));
  return isAhead(start) ? start : null;
}
