import { expect, test } from 'vitest';
import { DoubleTap } from '../../../../engine/stage/interaction/double-tap.ts';

const taps = (...all: [timeStamp: number, clientX?: number][]) => {
  const recognizer = new DoubleTap();
  return all.map(([timeStamp, clientX = 0]) => recognizer.take({ timeStamp, clientX, clientY: 0 }));
};

test('two taps within 500 ms are a double tap, later ones are two', () => {
  expect(taps([0], [500])).toEqual([false, true]);
  expect(taps([0], [501])).toEqual([false, false]);
});

test('taps in different places are two', () => {
  expect(taps([0], [100, 24])).toEqual([false, true]);
  expect(taps([0], [100, 25])).toEqual([false, false]);
});

test('the third of three quick taps is a first one again', () => {
  expect(taps([0], [100], [200], [300])).toEqual([false, true, false, true]);
  expect(taps([0], [600], [900])).toEqual([false, false, true]);
});

test('a tap of a finger and a click of a mouse are two', () => {
  const recognizer = new DoubleTap();
  const at = { clientX: 0, clientY: 0 };
  expect(recognizer.take({ ...at, timeStamp: 0, pointerType: 'touch' })).toBe(false);
  expect(recognizer.take({ ...at, timeStamp: 100, pointerType: 'mouse' })).toBe(false);
  expect(recognizer.take({ ...at, timeStamp: 200, pointerType: 'mouse' })).toBe(true);
});
