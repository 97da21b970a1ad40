/** Latin letters that Unicode decomposition doesn't reduce to a–z. */
const LATIN: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  å: 'a',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
  ŋ: 'ng',
};

/**
 * Converts a text to a URL path segment: lower case, hyphens for white space, and only a–z, digits, underscores and
 * hyphens, without repeated, leading or trailing hyphens. Accents are removed.
 * @returns at most 120 characters; empty if no character is usable
 */
export const normalizeSlug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[ßæœøåđðłþıħŋ]/g, (letter) => LATIN[letter]!)
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/\s+/g, '-')
    .replace(/[^\w-]+/g, '')
    .replace(/-{2,}/g, '-')
    .replace(/^-/, '')
    .slice(0, 120)
    .replace(/-$/, '');

/** A slug that isn't taken: the wanted one, or that one with a number appended. */
export function freeSlug(wanted: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const slug = number === 1 ? wanted : `${wanted}-${number}`;
    if (!taken.has(slug)) return slug;
  }
}

/** Path segments used by the product itself. */
export const RESERVED_SLUGS: readonly string[] = [
  'accessibility',
  'admin',
  'api',
  'assets',
  'check-in',
  'embed',
  'embed.js',
  'check-in-worker.js',
  'healthz',
  'kiosk-worker.js',
  'media',
  'metrics',
  'posters',
  'readyz',
  'realtime',
  'scorm.js',
];
