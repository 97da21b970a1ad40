import { expect, test } from 'vitest';
import { durationText } from '../../../src/admin/statistics/ranges.ts';

test.each([
  [0.4, '0 s'],
  [59.4, '59 s'],
  [59.7, '1 min'],
  [85.7, '1 min 26 s'],
  [599, '9 min 59 s'],
  [660, '11 min'],
  [5400, '1 h 30 min'],
])('%s seconds are shown as %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});
