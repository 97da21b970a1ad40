/** Uploaded files run no scripts when they are opened directly. */
export const SEALED = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; media-src 'self'; sandbox";

/** Seconds for which browsers cache a protected file. */
const VISIT = 600;

/** Headers of protected files, which are cached only by browsers, for the length of a visit. */
export const PROTECTED_HEADERS = {
  'cache-control': `private, max-age=${VISIT}`,
  vary: 'cookie, authorization',
} as const;

/** Headers of all stored files. @param policy content security policy */
export const fileHeaders = (policy: string): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'content-security-policy': policy,
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
});

/** Options of the static file plugin for a file's caching: forever, unless it is protected. */
export const cachingOf = (isProtected: boolean): { cacheControl: false } | { immutable: true; maxAge: string } =>
  isProtected ? { cacheControl: false } : { immutable: true, maxAge: '1y' };
