import { z } from 'zod';

/** Longest host name that DNS knows, with scheme and port. */
const MAX_ORIGIN_LENGTH = 270;

/** Scheme, host and port; a label neither begins nor ends with a hyphen. */
const EMBED_ORIGIN_PATTERN =
  /^https?:\/\/(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?::\d{1,5})?$/;

/**
 * A site as a page policy may name it: scheme, host and port. What could end the directive, match more than one host or
 * make one host look like another is refused: paths, wildcards, user info, semicolons, spaces and line breaks. An empty
 * text stays: the caller leaves it out.
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
    'Use a site with its scheme, such as https://www.example.com, without a path or wildcard.',
  );

/** Most characters of the address of a page. */
const MAX_PAGE_LENGTH = 2000;

/** A site named by the address of any page of it, with or without a scheme: its origin, as a page policy may name it. */
export const embedSite = z
  .string()
  .trim()
  .min(1, 'Enter the address of the site.')
  .max(MAX_PAGE_LENGTH, `Use at most ${MAX_PAGE_LENGTH} characters.`)
  .transform((text) => {
    const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
    return url && url.username === '' && url.password === '' ? url.origin : text;
  })
  .pipe(embedOrigin);
