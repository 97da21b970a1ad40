import { AREAS, type Policies, RIGHTS } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import type { SignedIn } from '../api/handler.ts';

/** Rights that one set has and another lacks, such as `rooms.update`. */
const beyond = (wanted: Policies, held: Policies): string[] =>
  AREAS.flatMap((area) =>
    RIGHTS.filter((right) => wanted[area][right] && !held[area][right]).map((right) => `${area}.${right}`),
  );

/**
 * Refuses to give rights that the giver lacks. What the receiver has already may stay.
 * @throws ApiError forbidden, naming the rights
 */
export function refuseBeyond(giver: SignedIn, wanted: Policies, had?: Policies): void {
  const known = new Set(had ? beyond(had, giver.policies) : []);
  const missing = beyond(wanted, giver.policies).filter((right) => !known.has(right));
  if (missing.length === 0) return;
  throw new ApiError('forbidden', {
    policies: [`You can not give rights that you do not have: ${missing.join(', ')}. Take them off and save again.`],
  });
}

/**
 * Refuses what only a person may do: a key that makes keys or users would outlive its own removal.
 * @throws ApiError forbidden
 */
export function refuseKeys({ isKey }: SignedIn): void {
  if (isKey) throw new ApiError('forbidden', 'An API key can not do this. Sign in with an e-mail address instead.');
}
