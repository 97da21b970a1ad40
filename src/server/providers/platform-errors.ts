import { ApiError } from '../../contract/errors.ts';

/** Maximum length of a platform message in our errors. */
const MAX_REASON_LENGTH = 300;

/** A platform's rate limit, with its retry time. */
export class PlatformBusy extends ApiError {
  /** `Retry-After` as sent by the platform: seconds or a date; null if missing. */
  readonly retryAfter: string | null;

  constructor(platform: string, retryAfter: string | null) {
    super('provider_busy', `${platform} is currently limiting requests.`);
    this.retryAfter = retryAfter;
  }
}

/** An error response of a platform. */
export interface PlatformAnswer {
  status: number;
  /** Its `Retry-After`. */
  retryAfter: string | null;
  /** Its message; empty if missing. */
  words: string;
  /** Its error code; empty if missing. */
  reason: string;
}

/** A platform's error as an API error, with the platform's own code. */
export class PlatformError extends ApiError {
  readonly platformReason: string;

  constructor(text: string, platformReason: string) {
    super('provider_failed', text);
    this.platformReason = platformReason;
  }
}

/** Codes of YouTube and Instagram for an exhausted quota, which come with the status of a missing permission. */
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
 * Maps a platform's error to an API error. Rejected credentials are the server's fault: it must never look as if the
 * caller were signed out.
 */
export function platformFailure(platform: string, { status, retryAfter, words, reason }: PlatformAnswer): ApiError {
  if (status === 429 || QUOTA.has(reason) || (status === 503 && retryAfter))
    return new PlatformBusy(platform, retryAfter);
  if (status === 404) return new ApiError('not_found', `Not found on ${platform}.`);
  if (status === 401 || status === 403) {
    const said = words ? ` Message: ${plainReason(words)}` : '';
    return new PlatformError(`${platform} rejected the credentials or the action.${said}`, reason);
  }
  if (status < 500 && words) return new PlatformError(`${platform} returned an error: ${plainReason(words)}`, reason);
  return new PlatformError(`${platform} returned an unexpected response.`, reason);
}
