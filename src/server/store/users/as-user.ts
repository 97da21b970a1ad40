import type { User } from '../../../contract/entities.ts';
import type { SignedIn } from '../call-context.ts';

/** Who is signed in, as they are told. */
export const asUser = ({ userId, name, email, policies, needsSecondFactor }: SignedIn): User => ({
  id: userId,
  name,
  email,
  policies,
  ...(needsSecondFactor && { needs_second_factor: true as const }),
});
