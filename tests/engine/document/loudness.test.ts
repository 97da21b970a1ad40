import { expect, it } from 'vitest';
import { gainOf } from '../../../engine/document/loudness.ts';

it.each([
  ['a loud file is played quieter', -11.2, -0.5, -6.8],
  ['a quiet file is played louder', -24, -12, 6],
  ['a file at the target is played as it is', -18, -6, 0],
  ['peaks stay below −1 dBTP', -24, -4, 3],
  ['a file that already has higher peaks is played quieter', -18, 0.3, -1.3],
  ['a very loud file is at most 24 dB quieter', 12, 13, -24],
  ['a very quiet file is at most 12 dB louder', -60, -50, 12],
])('%s', (_, loudness, true_peak, gain) => {
  expect(gainOf({ loudness, true_peak })).toBe(gain);
});
