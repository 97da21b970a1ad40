import type { Services } from '../../store/services.ts';
import { addressSubject, countAgainst } from '../../store/sessions/attempts.ts';

/** Messages that one address may share in an hour. */
const MOST = 20;
const HOUR = 60 * 60 * 1000;

/**
 * Counts a message that is about to be shared, whether it is taken or not. The count is exact however many come at once,
 * and outlives a restart.
 * @throws ApiError too_many
 */
export async function countShare({ db, clock }: Pick<Services, 'db' | 'clock'>, address: string): Promise<void> {
  await countAgainst(db, clock, [{ subject: `share:${addressSubject(address)}`, most: MOST, window: HOUR }]);
}
