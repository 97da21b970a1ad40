import { expect, test } from 'vitest';
import { type Claim, shareMemory } from '../../../engine/stage/batches/share-memory.ts';

const claim = (fields: Partial<Claim>): Claim => ({
  wanted: 2,
  bytes: [1, 4, 16],
  isAlone: false,
  draws: 1,
  current: undefined,
  wantedAt: 0,
  ...fields,
});
const alone = (fields: Partial<Claim> = {}) => claim({ isAlone: true, ...fields });

test('images get the size they want while there is memory, then the largest that fits', () => {
  expect(shareMemory([alone(), alone(), alone()], { bytes: 100, draws: 0 })).toEqual([2, 2, 2]);
  expect(shareMemory([alone(), alone(), alone()], { bytes: 22, draws: 0 })).toEqual([2, 1, 0]);
});

test('images without a batch are drawn even if there is no memory, and need no draw calls of the others', () => {
  expect(shareMemory([claim({}), alone()], { bytes: 0, draws: 1 })).toEqual([undefined, 0]);
  expect(shareMemory([alone(), claim({})], { bytes: 100, draws: 1 })).toEqual([2, 2]);
});

test('images of a batch are drawn by themselves up to a number of draw calls, the most important first', () => {
  const captioned = claim({ draws: 2 });
  expect(shareMemory([captioned, captioned, claim({})], { bytes: 100, draws: 3 })).toEqual([2, undefined, 2]);
});

test('remaining memory stays with images that were wanted most recently', () => {
  const cached = (wantedAt: number) => claim({ wanted: undefined, current: 2, wantedAt });
  expect(shareMemory([claim({}), cached(3), cached(7)], { bytes: 32, draws: 9 })).toEqual([2, undefined, 2]);
  expect(shareMemory([claim({}), cached(3), cached(7)], { bytes: 48, draws: 9 })).toEqual([2, 2, 2]);
  // An image that still wants a size but gets none goes back to its batch.
  expect(shareMemory([claim({}), claim({ current: 2 })], { bytes: 16, draws: 9 })).toEqual([2, undefined]);
});
