import { ApiError, errors } from '../../../contract/errors.ts';

/**
 * Rejects an edit based on an outdated version.
 * @param current timestamp of the stored version
 * @param seen timestamp of the caller's version; undefined skips the check
 * @throws ApiError stale, with the current timestamp next to the message
 */
export function refuseStale(current: string, seen: string | undefined): void {
  if (seen === undefined || seen === current) return;
  throw new ApiError('stale', { error: [errors.stale.message], updated_at: [current] });
}
