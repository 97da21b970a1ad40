import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizeSlug } from '../../../src/contract/slug.ts';

describe('a slug', () => {
  it.each([
    ['The Long Gallery', 'the-long-gallery'],
    ['  a\t\nb  ', 'a-b'],
    ['--a---b--', 'a-b'],
    ['Café & Bar', 'cafe-bar'],
    ['Exposição Ærø Straße', 'exposicao-aero-strasse'],
    ['under_score', 'under_score'],
    ['../etc/passwd', 'etcpasswd'],
    ['世界', ''],
    ['', ''],
  ])('of %j is %j', (text, slug) => {
    expect(normalizeSlug(text)).toBe(slug);
  });

  it('of any text can stand in an address, and is the slug of itself', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[ a-zA-Z_\-é]{0,300}$/)), (text) => {
        const slug = normalizeSlug(text);
        expect(slug).toMatch(/^(?:[a-z0-9_]+(?:-[a-z0-9_]+)*)?$/);
        expect(slug.length).toBeLessThanOrEqual(120);
        expect(normalizeSlug(slug)).toBe(slug);
      }),
    );
  });
});
