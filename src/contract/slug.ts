/** Letters that no decomposition turns into those of a to z. */
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
 * A text as a part of a public address: lower case, hyphens for white space, letters of a to z, digits, underscores and
 * hyphens only, no hyphen twice or at an end. Letters with accents become those without.
 * @returns at most 120 characters; empty when nothing of the text can stand in an address
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

/** First parts of an address that the product itself uses. */
export const RESERVED_SLUGS: readonly string[] = [
  'admin',
  'api',
  'assets',
  'embed',
  'embed.js',
  'healthz',
  'media',
  'metrics',
  'readyz',
  'realtime',
];
