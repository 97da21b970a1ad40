import type { User } from '../../../contract/entities.ts';
import type { CallContext, SignedIn } from '../../core/http/call-context.ts';
import { findOrganization } from '../organizations/organizations-repository.ts';

/** A user as calls return them, with their organization. */
export async function readUser(
  context: Pick<CallContext, 'db' | 'shownSite'>,
  { userId, name, email, policies, needsSecondFactor }: SignedIn,
  organizationId: number,
): Promise<User> {
  const organization = await findOrganization(context.db, organizationId);
  const { origin } = await context.shownSite(organizationId);
  return {
    id: userId,
    name,
    email,
    policies,
    organization: { name: organization.name, origin, time_zone: organization.time_zone },
    ...(needsSecondFactor && { needs_second_factor: true as const }),
  };
}
