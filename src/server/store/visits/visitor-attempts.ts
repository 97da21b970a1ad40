import type { Services } from '../services.ts';
import {
  ATTEMPT_WINDOW,
  addressSubject,
  countAgainst,
  type Limit,
  lockSubjects,
  refuseAbove,
} from '../sessions/attempts.ts';

/** Messages that one address may share in an hour. */
const SHARE_LIMIT = { most: 20, window: 60 * 60 * 1000 } as const;

type Shared = Pick<Services, 'db' | 'clock'>;

/**
 * The limits of an entry: over all addresses for the structure, over all structures for the address. Right codes do not
 * count, so a crowd that enters an event at the same time comes in.
 */
const entryLimits = (endpointId: number, address: string): Limit[] => [
  { subject: `entry:${endpointId}`, most: 100, window: 60_000 },
  { subject: `entry:${addressSubject(address)}`, most: 20, window: ATTEMPT_WINDOW },
];

/**
 * Refuses to look at a code, right or wrong, when there were too many wrong ones. Who is inside already is not asked.
 * @throws ApiError too_many
 */
export async function refuseCrowdedEntry({ db, clock }: Shared, endpointId: number, address: string): Promise<void> {
  await refuseAbove(db, clock.now(), entryLimits(endpointId, address));
}

/**
 * The same for a code that turned out to be right, within the transaction that lets its visitor in: wrong ones that came
 * before it at the same moment have been counted then.
 * @throws ApiError too_many; the caller must not tell whether the code was right then
 */
export async function refuseLateEntry({ db, clock }: Shared, endpointId: number, address: string): Promise<void> {
  const limits = entryLimits(endpointId, address);
  await lockSubjects(db, limits, 'shared');
  await refuseAbove(db, clock.now(), limits);
}

/**
 * Counts a wrong code. The count is exact however many come at once: a code is told to be wrong only after it has taken
 * one of the places that are left.
 * @throws ApiError too_many when none is left; the caller must not tell whether the code was wrong then
 */
export async function countEntryFailure({ db, clock }: Shared, endpointId: number, address: string): Promise<void> {
  await countAgainst(db, clock, entryLimits(endpointId, address));
}

/**
 * Counts a message that is about to be shared, whether it is taken or not. The count outlives a restart.
 * @throws ApiError too_many
 */
export async function countShare({ db, clock }: Shared, address: string): Promise<void> {
  await countAgainst(db, clock, [{ subject: `share:${addressSubject(address)}`, ...SHARE_LIMIT }]);
}

/**
 * Counts a proof of work, which counts once, also where it comes twice at the same moment.
 * @param salt what only this proof has
 * @param lifetime milliseconds after which it would no longer count in any case
 * @throws ApiError too_many where it has been counted before
 */
export async function countProof({ db, clock }: Shared, salt: string, lifetime: number): Promise<void> {
  await countAgainst(db, clock, [{ subject: `proof:${salt}`, most: 1, window: lifetime }]);
}
