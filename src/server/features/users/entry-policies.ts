import type { z } from 'zod';
import type { Area, entryPolicies } from '../../../contract/entities.ts';
import type { CallContext } from '../../core/http/call-context.ts';

/** What the asking user may do with the entries of an area. */
export function entryPoliciesOf({ user }: CallContext, area: Area): z.output<typeof entryPolicies> {
  const rights = user?.policies[area];
  return { update: rights?.update ?? false, delete: rights?.delete ?? false };
}
