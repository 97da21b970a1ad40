import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalToken, tokenDamage, unwrapCell } from '../../src/contract/token-text.ts';

describe('the normal form of an access token', () => {
  it.each([
    ['a trailing no-break space', 'NBSP-CODE-001\u00a0', 'NBSP-CODE-001'],
    ['zero-width spaces', '\u200bZWSP\u200b-2', 'ZWSP-2'],
    ['a soft hyphen', 'SHY\u00ad3', 'SHY3'],
    ['a word joiner and a byte order mark', 'WJ\u2060-5\ufeff', 'WJ-5'],
    ['marks of direction', '\u202aLTR-6\u202c', 'LTR-6'],
    ['a variation selector', 'VS\ufe0f7', 'VS7'],
    ['typographic dashes', 'a\u2010b\u2011c\u2012d\u2013e\u2014f\u2212g', 'a-b-c-d-e-f-g'],
    ['unusual spaces within', 'a\u2009b\u3000c', 'a b c'],
    ['decomposed letters', 'Cafe\u0301', 'Café'],
  ])('has no %s', (_, text, normal) => expect(normalToken(text)).toBe(normal));

  it.each(['A1-B2', 'abc', '\\N', '=1+1', 'Straße', '日本', '＝full', 'a  b', 'aB'])('leaves %s as it is', (text) =>
    expect(normalToken(text)).toBe(text),
  );

  it('is its own normal form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(normalToken(normalToken(text))).toBe(normalToken(text));
      }),
    );
  });
});

describe('values that a spreadsheet has damaged', () => {
  it.each([
    ['7.7E+17', '7,7E+17', '8.71235E+12', '1E+15', '1,00E+15', '8.7e12', '-1.2E-05'],
    [
      '#N/A',
      '#NV',
      '#N/B',
      '#REF!',
      '#BEZUG!',
      '#VERW!',
      '#VALEUR!',
      '#NAME?',
      '#DIV/0!',
      '#NULL!',
      '#¡REF!',
      '########',
    ],
    ['NULL', 'null', '(null)', '[NULL]', '<null>', 'NaN', 'n/a', 'undefined', 'None', '[object Object]'],
    ['8712345678920.0', '8712345678920,00'],
    ['01-Mar', '3-mrt', 'Mar-03', '1-Dez', '12. janv', '5-May-26'],
  ])('are told: %s, %s and more of the kind', (...texts) => {
    for (const text of texts) expect([text, tokenDamage(text)]).toEqual([text, expect.stringContaining(text)]);
  });

  it.each([
    '5E3',
    '12E34',
    '1E15',
    '#1234',
    '#A7K2',
    'NL-1234',
    'NULL-1',
    'mar-1234',
    '12-34',
    'dec-99x',
    '1.5',
    'nan-1',
    '00123458',
  ])('are not %s', (text) => expect(tokenDamage(text)).toBeNull());

  it('are not texts in a formula, which are unwrapped', () => {
    expect(['="00123458"', '="a""b"', '=1+1', 'x="1"'].map(unwrapCell)).toEqual(['00123458', 'a"b', '=1+1', 'x="1"']);
  });
});
