import { expect, test } from 'vitest';
import { joystickSpeed } from '../../../engine/stage/camera/joystick.ts';
import { directionOf } from '../../../engine/stage/camera/orientation.ts';

test('a joystick goes at its distance × 2 / 100, not at all below 0.1, and at most at full speed', () => {
  expect([0, 4, 4.9, 5, 25, 50, 500].map(joystickSpeed)).toEqual([0, 0, 0, 0.1, 0.5, 1, 1]);
});

test('a device held upright looks level, and follows what it is turned to', () => {
  const level = directionOf({ alpha: 0, beta: 90, gamma: 0 }, 0);
  expect(level.polar).toBeCloseTo(Math.PI / 2);
  expect(level.azimuth).toBeCloseTo(0);
  expect(directionOf({ alpha: 90, beta: 90, gamma: 0 }, 0).azimuth).toBeCloseTo(Math.PI / 2);
  // Leant back it looks up: down from the camera to what lies behind it.
  expect(directionOf({ alpha: 0, beta: 120, gamma: 0 }, 0).polar).toBeCloseTo((2 * Math.PI) / 3);
  // Lying on its side, its screen turned along.
  const side = directionOf({ alpha: 0, beta: 0, gamma: -90 }, 90);
  expect(side.polar).toBeCloseTo(Math.PI / 2);
});
