import { ApiError, errors } from '../../../contract/errors.ts';

/**
 * Refuses an edit of a version that is no longer the current one.
 * @param current stamp of the stored version
 * @param seen stamp that the caller's version had; undefined skips the check
 * @throws ApiError stale, with the current stamp beside the message
 */
export function refuseStale(current: string, seen: string | undefined): void {
  if (seen === undefined || seen === current) return;
  throw new ApiError('stale', { error: [errors.stale.message], updated_at: [current] });
}
