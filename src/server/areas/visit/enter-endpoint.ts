import { ApiError } from '../../../contract/errors.ts';
import type { CallContext } from '../../store/call-context.ts';
import { type Entered, findPublicEndpoint } from '../../store/visits/public-endpoints.ts';
import { findVisit } from '../../store/visits/visitor-sessions.ts';
import { redeemCode } from './redeem-code.ts';

/** Who comes, and with what token. */
type Visitor = Pick<CallContext, 'db' | 'clock' | 'token'>;

/**
 * Lets a visit into the structure that it is for.
 * @returns stamp at which the visit ends
 * @throws ApiError signed_out when the visit has ended, code_required when there is none or it is for another structure
 */
async function checkVisit({ db, clock, token }: Visitor, endpointId: number): Promise<string> {
  if (token === null) throw new ApiError('code_required');
  const visit = await findVisit(db, clock, token);
  if (!visit) throw new ApiError('signed_out');
  // The visit of another structure goes on, so this is no reason to forget its token.
  if (visit.endpointId !== endpointId) throw new ApiError('code_required');
  return visit.endsAt;
}

/**
 * The structure at a public address, for a visitor who may enter. Tokens matter at protected ones only.
 * @throws ApiError not_found, or why the visitor may not enter
 */
export async function enterEndpoint(
  visitor: Visitor,
  organizationId: number,
  slugs: readonly string[],
): Promise<Entered> {
  const endpoint = await findPublicEndpoint(visitor.db, organizationId, slugs);
  const visitEndsAt = endpoint.is_protected === 1 ? await checkVisit(visitor, endpoint.id) : null;
  return { endpoint, visitEndsAt };
}

/**
 * Like `enterEndpoint`, with an access token: a right one begins a visit, whose token the caller is given.
 * @param code what the visitor entered; without one, a visit that goes on is looked for
 */
export async function enterWithCode(
  context: CallContext,
  slugs: readonly string[],
  code: string | null,
): Promise<Entered> {
  const given = code?.trim();
  if (!given) return enterEndpoint(context, context.organizationId, slugs);
  const endpoint = await findPublicEndpoint(context.db, context.organizationId, slugs);
  if (endpoint.is_protected === 0) return { endpoint, visitEndsAt: null };
  const { token, endsAt } = await redeemCode(context, endpoint, given, context.address);
  context.issueToken(token);
  return { endpoint, visitEndsAt: endsAt };
}
