import type { CodeReason } from '../../../contract/errors.ts';
import { earlier, timestampOf } from '../../core/clock.ts';
import type { StoredToken } from './access-tokens-repository.ts';

/** What decides when a token opens. */
type Validity = Pick<StoredToken, 'valid_from' | 'valid_till'>;

/**
 * Why a token does not open at a moment; null when it does. It opens at `valid_from` itself and no longer at
 * `valid_till`.
 * @param now stamp of the moment: stamps are UTC and sort as time does
 */
export function refusalOf({ valid_from, valid_till }: Validity, now: string): CodeReason | null {
  if (valid_till !== null && valid_till <= now) return 'expired';
  if (valid_from !== null && valid_from > now) return 'not_yet_valid';
  return null;
}

/** When a token ends that is first used at a moment: after its duration, but never later than it would anyway. */
export function endAfterFirstUse(
  { valid_till, valid_duration }: Pick<StoredToken, 'valid_till' | 'valid_duration'>,
  now: number,
): string | null {
  if (valid_duration === null) return valid_till;
  const end = timestampOf(now + valid_duration * 60_000);
  return valid_till === null ? end : earlier(valid_till, end);
}
