import { describe, expect, test } from 'vitest';
import { UNITS_PER_METER } from '../../engine/document/constants.ts';
import { limitProblem, numberIn, readIn, writtenIn } from '../../src/editor/fields/number-text.ts';

describe('a number that is typed', () => {
  test.each([
    ['20', 20],
    ['-20,5', -20.5],
    ['-20.5', -20.5],
    ['1e9', 1e9],
    ['1.5E-3', 0.0015],
    ['-300+50', -250],
    ['−300 + 50', -250],
    ['2+3*4', 14],
    ['(2+3)*4', 20],
    ['10/4', 2.5],
    ['2 × 3 ÷ 4', 1.5],
    ['--5', 5],
    ['2*-3', -6],
    [' ,5 ', 0.5],
    ['1 000', 1000],
    ['-1\u202f250\u202f000,5', -1_250_000.5],
    ['0,125', 0.125],
  ])('%s is %d', (text, number) => {
    expect(numberIn(text)).toBeCloseTo(number, 9);
  });

  test('has units: lengths in meters, angles in degrees', () => {
    expect(numberIn('2m', 'units')).toBe(2 * UNITS_PER_METER);
    expect(numberIn('50 cm + 10', 'units')).toBeCloseTo(UNITS_PER_METER / 2 + 10);
    expect(numberIn('90°', 'degrees')).toBe(90);
    expect(numberIn('0.5 turn', 'degrees')).toBe(180);
    expect(numberIn('1rad', 'degrees')).toBeCloseTo(57.29578);
    expect(numberIn('2m', 'degrees')).toBe(undefined);
  });

  test.each([
    '',
    '  ',
    '-',
    '3+',
    '2..5',
    '1,2,3',
    '1,000',
    '2*12,500',
    '1 00',
    '500px',
    'wide',
    '2 3',
    '(2',
    '1/0',
    '5 bananas',
    '0x10',
  ])('%j is none', (text) => {
    expect(numberIn(text, 'units')).toBe(undefined);
  });

  test('is in radians in the document where people read degrees', () => {
    expect(readIn(Math.PI, 'degrees')).toBeCloseTo(180);
    expect(writtenIn(45, 'degrees')).toBeCloseTo(Math.PI / 4);
    expect(readIn(12)).toBe(12);
  });

  test('says by its limits what is wrong with it', () => {
    expect(limitProblem(-1, 0, 10)).toBe('Must be 0 or more.');
    expect(limitProblem(91, 0, readIn(1.5708, 'degrees'))).toBe('Must be 90 or less.');
    expect(limitProblem(5, null, 10)).toBe(undefined);
  });
});
