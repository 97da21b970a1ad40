import type { Services } from '../services.ts';
import { addAttempts, addressSubject, lockSubjects, sweepAttempts } from '../sessions/attempts.ts';
import { type Limit, refuseAbove } from '../visit/entry-attempts.ts';

/** Messages that one address may share in an hour. */
const MOST = 20;
const HOUR = 60 * 60 * 1000;

/**
 * Counts a message that is about to be shared, whether it is taken or not. The count is exact however many come at once,
 * and outlives a restart.
 * @throws ApiError too_many
 */
export async function countShare({ db, clock }: Pick<Services, 'db' | 'clock'>, address: string): Promise<void> {
  const limits: Limit[] = [{ subject: `share:${addressSubject(address)}`, most: MOST, window: HOUR }];
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
