import { addressSubject, countAgainst, type Limit, lockSubjects, refuseAbove } from '../../core/limits/attempts.ts';
import type { Services } from '../../core/services.ts';
import { PUBLIC_WRITES } from './public-writes.ts';

const { share, entry } = PUBLIC_WRITES;

type Shared = Pick<Services, 'db' | 'clock'>;

/** A structure that somebody enters. */
interface Door {
  id: number;
  organization_id: number;
}

const entryLimits = ({ id, organization_id }: Door, address: string): Limit[] => [
  { subject: `entry:${id}`, ...entry.structure },
  { subject: `entry:organization:${organization_id}`, ...entry.organization },
  { subject: `entry:${organization_id}:${addressSubject(address)}`, ...entry.network },
  { subject: `entry:${addressSubject(address)}`, ...entry.allOrganizations },
];

/**
 * Refuses to look at a code, right or wrong, when there were too many wrong ones. Who is inside already is not asked.
 * @throws ApiError too_many
 */
export async function refuseCrowdedEntry({ db, clock }: Shared, door: Door, address: string): Promise<void> {
  await refuseAbove(db, clock.now(), entryLimits(door, address));
}

/**
 * The same for a code that turned out to be right, within the transaction that lets its visitor in: wrong ones that came
 * before it at the same moment have been counted then.
 * @throws ApiError too_many; the caller must not tell whether the code was right then
 */
export async function refuseLateEntry({ db, clock }: Shared, door: Door, address: string): Promise<void> {
  const limits = entryLimits(door, address);
  await lockSubjects(db, limits, 'shared');
  await refuseAbove(db, clock.now(), limits);
}

/**
 * Counts a wrong code. The count is exact however many come at once: a code is told to be wrong only after it has taken
 * one of the places that are left.
 * @throws ApiError too_many when none is left; the caller must not tell whether the code was wrong then
 */
export async function countEntryFailure({ db, clock }: Shared, door: Door, address: string): Promise<void> {
  await countAgainst(db, clock, entryLimits(door, address));
}

/**
 * Counts a message that is about to be shared, whether it is taken or not. The count outlives a restart.
 * @throws ApiError too_many
 */
export async function countShare(
  { db, clock, organizationId }: Shared & { organizationId: number },
  address: string,
): Promise<void> {
  await countAgainst(db, clock, [
    { subject: `share:${addressSubject(address)}`, ...share.network },
    { subject: `share:organization:${organizationId}`, ...share.organization },
  ]);
}

/**
 * Counts a form of a visitor whose file has to wait on disk, before it is written: such a form may never end.
 * @throws ApiError too_many, also where no more messages of the address would be taken
 */
export async function countForm({ db, clock }: Shared, address: string): Promise<void> {
  const subject = addressSubject(address);
  await refuseAbove(db, clock.now(), [{ subject: `share:${subject}`, ...share.network }]);
  await countAgainst(db, clock, [{ subject: `form:${subject}`, ...share.forms }]);
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
