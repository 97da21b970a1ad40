import type { Services } from '../services.ts';
import {
  ATTEMPT_WINDOW,
  addAttempts,
  addressSubject,
  type Limit,
  lockSubjects,
  refuseAbove,
  sweepAttempts,
} from '../sessions/attempts.ts';

type Shared = Pick<Services, 'db' | 'clock'>;

/**
 * The limits of an entry: over all addresses for the structure, over all structures for the address. Right codes do not
 * count, so a crowd at the door of an event comes in.
 */
const limitsOf = (endpointId: number, address: string): Limit[] => [
  { subject: `entry:${endpointId}`, most: 100, window: 60_000 },
  { subject: `entry:${addressSubject(address)}`, most: 20, window: ATTEMPT_WINDOW },
];

/**
 * Refuses to look at a code, right or wrong, when there were too many wrong ones. Who is inside already is not asked.
 * @throws ApiError too_many
 */
export async function refuseCrowdedEntry({ db, clock }: Shared, endpointId: number, address: string): Promise<void> {
  await refuseAbove(db, clock.now(), limitsOf(endpointId, address));
}

/**
 * The same for a code that turned out to be right, within the transaction that lets its visitor in: wrong ones that came
 * before it at the same moment have been counted then.
 * @throws ApiError too_many; the caller must not tell whether the code was right then
 */
export async function refuseLateEntry({ db, clock }: Shared, endpointId: number, address: string): Promise<void> {
  const limits = limitsOf(endpointId, address);
  await lockSubjects(db, limits, 'shared');
  await refuseAbove(db, clock.now(), limits);
}

/**
 * Counts a wrong code. The count is exact however many come at once: a code is told to be wrong only after it has taken
 * one of the places that are left.
 * @throws ApiError too_many when none is left; the caller must not tell whether the code was wrong then
 */
export async function countEntryFailure({ db, clock }: Shared, endpointId: number, address: string): Promise<void> {
  const limits = limitsOf(endpointId, address);
  await sweepAttempts(db, clock);
  await db.transaction().execute(async (transaction) => {
    await lockSubjects(transaction, limits);
    await refuseAbove(transaction, clock.now(), limits);
    await addAttempts(
      transaction,
      clock,
      limits.map(({ subject }) => subject),
    );
  });
}
