import { z } from 'zod';

/** Maximum length of an origin: the longest DNS host name with scheme and port. */
const MAX_ORIGIN_LENGTH = 270;

/** Scheme, host and port; labels can't start or end with a hyphen. */
const EMBED_ORIGIN_PATTERN =
  /^https?:\/\/(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?::\d{1,5})?$/;

/**
 * An origin that is safe in a Content-Security-Policy. Rejects paths, wildcards, user info, semicolons, spaces and line
 * breaks, which could end the directive, match several hosts or disguise the host. Allows an empty string, which the caller
 * skips.
 */
export const embedOrigin = z
  .string()
  .max(MAX_ORIGIN_LENGTH, `Use at most ${MAX_ORIGIN_LENGTH} characters.`)
  .transform((text) =>
    text
      .toLowerCase()
      .replace(/^ +|(?<! ) +$/g, '')
      .replace(/\/$/, ''),
  )
  .refine(
    (text) => text === '' || (EMBED_ORIGIN_PATTERN.test(text) && URL.canParse(text)),
    'Use an origin with a scheme, such as https://www.example.com, without a path or wildcard.',
  );

/** Maximum length of a page URL, in characters. */
const MAX_PAGE_LENGTH = 2000;

/** Converts the URL of any page, with or without a scheme, to its site's origin. */
export const embedSite = z
  .string()
  .trim()
  .min(1, 'Enter the URL of the site.')
  .max(MAX_PAGE_LENGTH, `Use at most ${MAX_PAGE_LENGTH} characters.`)
  .transform((text) => {
    const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
    return url && url.username === '' && url.password === '' ? url.origin : text;
  })
  .pipe(embedOrigin);
