import { ApiError } from '../../contract/errors.ts';
import type { VisitData } from '../../contract/visit-data.ts';
import type { Services } from '../services.ts';
import { enterEndpoint } from '../visit/enter-endpoint.ts';
import { showEndpoint, visibleEndpoints } from '../visit/public-endpoints.ts';

const NO_PAGE = 'This page does not exist.';

/** Parts of the public address that a page's address stands for: the first visible structure's at the root. */
export async function wantedSlugs(
  { db }: Services,
  organizationId: number,
  slugs: readonly string[] | null,
): Promise<readonly string[]> {
  const home = slugs?.length === 0 ? (await visibleEndpoints(db, organizationId))[0] : undefined;
  const wanted = home ? [home.slug] : slugs;
  if (!wanted || wanted.length === 0) throw new ApiError('not_found');
  return wanted;
}

/**
 * What a visitor sees of an address: the structure, or the reason why there is none.
 * @param token of a visit to a protected structure
 */
export async function visitOf(
  services: Services,
  organizationId: number,
  slugs: readonly string[] | null,
  token: string | null = null,
): Promise<{ status: number } & Omit<VisitData, 'settings' | 'preview'>> {
  try {
    const wanted = await wantedSlugs(services, organizationId, slugs);
    const endpoint = await enterEndpoint({ ...services, token }, organizationId, wanted);
    return { status: 200, endpoint: await showEndpoint(services, endpoint, wanted), needsCode: false, problem: null };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const problem = error.code === 'not_found' ? NO_PAGE : error.message;
    const needsCode = error.code === 'code_required' || error.code === 'signed_out';
    return { status: error.status, endpoint: null, needsCode, problem };
  }
}
