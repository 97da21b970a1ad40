import type { PublicEndpoint } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { timestamps } from '../../store/rooms/read-room.ts';
import type { RoomCache } from '../../store/rooms/room-cache.ts';
import type { Services } from '../../store/services.ts';
import { openPreview } from '../../store/visits/preview-links.ts';
import { homeSlugs, type OpenEndpoint, openEndpoint, previewEndpoint } from '../../store/visits/public-endpoints.ts';
import { enterEndpoint } from './enter-endpoint.ts';

const NO_PAGE = 'This page does not exist.';

/** What pages need of the server. */
export type PageServices = Services & { roomCache: RoomCache };

/** What a visitor finds at an address: the structure, or the reason why there is none. */
export interface Visited {
  status: number;
  endpoint: OpenEndpoint | null;
  needsCode: boolean;
  problem: string | null;
}

/** Parts of the public address that a page's address stands for: the first visible structure's at the root. */
export async function wantedSlugs(
  { db }: Services,
  organizationId: number,
  slugs: readonly string[] | null,
): Promise<readonly string[]> {
  if (!slugs) throw new ApiError('not_found');
  return slugs.length === 0 ? homeSlugs(db, organizationId) : slugs;
}

/**
 * What a visitor finds at an address.
 * @param token of a visit to a protected structure
 */
export async function readVisit(
  services: PageServices,
  organizationId: number,
  slugs: readonly string[] | null,
  token: string | null = null,
): Promise<Visited> {
  try {
    const wanted = await wantedSlugs(services, organizationId, slugs);
    const found = await enterEndpoint({ ...services, token }, organizationId, wanted);
    const endpoint = await openEndpoint(services, found, wanted, 'page');
    return { status: 200, endpoint, needsCode: false, problem: null };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const problem = error.code === 'not_found' ? NO_PAGE : error.message;
    const needsCode = error.code === 'code_required' || error.code === 'signed_out';
    // A page that asks for a code is what it should be.
    return { status: needsCode ? 200 : error.status, endpoint: null, needsCode, problem };
  }
}

const NO_PREVIEW = 'This preview link has expired, or is not complete. Ask for a new one.';

/**
 * What somebody finds at the address of a preview: the structure with its space as it is edited. The link stands for the
 * access token, for the start time and for the structure being visible.
 */
export async function readPreview(
  services: PageServices,
  organizationId: number,
  slugs: readonly string[],
  token: string,
): Promise<Visited & { endsAt: number | null; endpointId: number | null }> {
  const preview = await openPreview(services, organizationId, token);
  const endpoint = preview && (await previewEndpoint(services, organizationId, slugs, preview));
  if (!endpoint)
    return { status: 403, endpoint: null, needsCode: false, problem: NO_PREVIEW, endsAt: null, endpointId: null };
  const { endsAt, endpointId } = preview;
  return { status: 200, endpoint, needsCode: false, problem: null, endsAt, endpointId };
}

/** A structure as the API gives it, read from the bytes that pages carry. */
export function readEndpoint({ fields, room }: OpenEndpoint, clock: Clock): PublicEndpoint {
  const document = room && JSON.parse(`{${room.bytes}`);
  return {
    ...fields,
    current_time: clock.now() / 1000,
    room: document ? { ...timestamps(clock), tag: room?.tag, ...document } : null,
  };
}
