import { ApiError } from '../../../contract/errors.ts';
import type { Services } from '../../core/services.ts';
import { findEndpointByPath, type StoredEndpoint } from '../endpoints/queries.ts';
import { openPreview } from '../publications/preview-links.ts';
import type { RoomCache } from '../rooms/room-cache.ts';
import { findPublicEndpoint, homeSlugs, type OpenEndpoint, openEndpoint, previewEndpoint } from './public-endpoints.ts';
import { enterEndpoint } from './service.ts';

const unprotected = (endpoint: StoredEndpoint): StoredEndpoint => ({ ...endpoint, is_protected: 0 });

const NO_PAGE = 'This page does not exist.';

/** Services that pages need. */
export type PageServices = Services & { roomCache: RoomCache };

/** Result of a visit to a path: the structure, or why there is none. */
export interface Visited {
  status: number;
  endpoint: OpenEndpoint | null;
  needsCode: boolean;
  problem: string | null;
  /** Seconds without input after which the page starts again; null if it isn't a kiosk. */
  kiosk: number | null;
}

/** Slugs of a page's path; at the root, those of the first visible structure. */
export async function wantedSlugs(
  { db }: Services,
  organizationId: number,
  slugs: readonly string[] | null,
): Promise<readonly string[]> {
  if (!slugs) throw new ApiError('not_found');
  return slugs.length === 0 ? homeSlugs(db, organizationId) : slugs;
}

/**
 * Reads the structure at a path for a visitor.
 * @param wanted language tags in order of preference
 * @param token token of a visit to a protected structure; `static` for a static site, which has no access tokens
 */
export async function readVisit(
  services: PageServices,
  organizationId: number,
  slugs: readonly string[] | null,
  wanted: readonly string[] = [],
  token: string | null | 'static' = null,
): Promise<Visited> {
  let path: readonly string[] = [];
  try {
    path = await wantedSlugs(services, organizationId, slugs);
    const found =
      token === 'static'
        ? { endpoint: unprotected(await findPublicEndpoint(services.db, organizationId, path)), visitEndsAt: null }
        : await enterEndpoint({ ...services, token }, organizationId, path);
    const endpoint = await openEndpoint(services, found, path, 'page', wanted);
    return { status: 200, endpoint, needsCode: false, problem: null, kiosk: found.endpoint.kiosk_seconds };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const problem = error.code === 'not_found' ? NO_PAGE : error.message;
    const needsCode = error.code === 'code_required' || error.code === 'signed_out';
    const closed = needsCode ? await findEndpointByPath(services.db, organizationId, path) : undefined;
    // A page that asks for an access token is a success.
    const status = needsCode ? 200 : error.status;
    return { status, endpoint: null, needsCode, problem, kiosk: closed?.endpoint.kiosk_seconds ?? null };
  }
}

/** A visit without a structure, token or kiosk. */
const NOTHING = { endpoint: null, needsCode: false, problem: null, kiosk: null };

const NO_PREVIEW = 'This preview link has expired or is incomplete. Ask for a new one.';

/**
 * Reads the structure of a preview with its edited space. The link replaces the access token, and works before the
 * start time and while the structure is hidden.
 * @param wanted language tags in order of preference
 */
export async function readPreview(
  services: PageServices,
  organizationId: number,
  slugs: readonly string[],
  token: string,
  wanted: readonly string[],
): Promise<Visited & { endsAt: number | null; endpointId: number | null }> {
  const preview = await openPreview(services, organizationId, token);
  const endpoint = preview && (await previewEndpoint(services, organizationId, slugs, preview, wanted));
  if (!endpoint) return { ...NOTHING, status: 403, problem: NO_PREVIEW, endsAt: null, endpointId: null };
  const { endsAt, endpointId } = preview;
  return { ...NOTHING, status: 200, endpoint, endsAt, endpointId };
}
