import { ApiError } from '../../contract/errors.ts';

/** Longest text of a platform that is passed on. */
const MAX_REASON_LENGTH = 300;

/** A platform that takes no more requests for now, with what it says about when it will. */
export class PlatformBusy extends ApiError {
  /** For the `Retry-After` header: seconds or a date, as the platform gave it; null where it gave none. */
  readonly retryAfter: string | null;

  constructor(platform: string, retryAfter: string | null) {
    super('provider_busy', `${platform} takes no more requests for now.`);
    this.retryAfter = retryAfter;
  }
}

/** What a platform answered instead of what was asked for. */
export interface PlatformAnswer {
  status: number;
  /** Its `Retry-After`. */
  retryAfter: string | null;
  /** What it says in words; empty where it says nothing. */
  words: string;
  /** Its own name for the error; empty where it has none. */
  reason: string;
}

/** An error of a platform as ours, with the platform's own name for it. */
export class PlatformError extends ApiError {
  readonly platformReason: string;

  constructor(text: string, platformReason: string) {
    super('provider_failed', text);
    this.platformReason = platformReason;
  }
}

/** What YouTube and Instagram call a quota that is used up; it comes with the status of a missing right. */
const QUOTA = new Set([
  'quotaExceeded',
  'dailyLimitExceeded',
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'userRequestsExceedRateLimit',
  'uploadLimitExceeded',
  'code 4',
  'code 17',
  'code 32',
  'code 613',
]);

const plainReason = (words: string): string =>
  words
    .replace(/<[^<>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_REASON_LENGTH);

/**
 * An error of ours for an error of a platform. A platform that does not know our key is the server's fault: it must
 * never look as if the caller were signed out.
 */
export function platformFailure(platform: string, { status, retryAfter, words, reason }: PlatformAnswer): ApiError {
  if (status === 429 || QUOTA.has(reason) || (status === 503 && retryAfter))
    return new PlatformBusy(platform, retryAfter);
  if (status === 404) return new ApiError('not_found', `${platform} does not have this.`);
  if (status === 401 || status === 403) {
    const said = words ? ` It says: ${plainReason(words)}` : '';
    return new PlatformError(`${platform} does not let this server in, or not do this.${said}`, reason);
  }
  if (status < 500 && words) return new PlatformError(`${platform} says: ${plainReason(words)}`, reason);
  return new PlatformError(`${platform} did not answer as it should.`, reason);
}
