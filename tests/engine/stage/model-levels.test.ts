import { Matrix4, PerspectiveCamera } from 'three';
import { expect, test } from 'vitest';
import { levelFor } from '../../../engine/stage/resources/model-levels.ts';
import { seenDiagonal, viewpointOf } from '../../../engine/stage/resources/seen-width.ts';

const levels = [{ pixels: 400 }, { pixels: 100 }];

test('a model is drawn in the coarsest level whose error is below a pixel', () => {
  expect([1000, 401, 400, 101, 100, 3].map((pixels) => levelFor(levels, pixels))).toEqual([0, 0, 1, 1, 2, 2]);
  expect(levelFor([], 3)).toBe(0);
});

test('a finer level is drawn at once, and a coarser one only when it is clearly enough', () => {
  expect([90, 99, 100, 101].map((pixels) => levelFor(levels, pixels, 1))).toEqual([1, 1, 1, 1]);
  expect([79, 80].map((pixels) => levelFor(levels, pixels, 1))).toEqual([2, 2]);
  expect([330, 320, 90, 70].map((pixels) => levelFor(levels, pixels, 0))).toEqual([0, 1, 1, 2]);
  expect([101, 500].map((pixels) => levelFor(levels, pixels, 2))).toEqual([1, 0]);
});

test('a camera that moves to and fro at a limit never makes levels alternate', () => {
  let current = levelFor(levels, 390);
  const drawn = Array.from({ length: 20 }, (_, index) => {
    current = levelFor(levels, index % 2 === 0 ? 405 : 395, current);
    return current;
  });
  expect(new Set(drawn)).toEqual(new Set([0]));
});

test('the size on screen follows the distance, the scale and the pixels of the canvas', () => {
  const camera = new PerspectiveCamera(90, 1, 1, 10_000);
  camera.position.set(0, 0, 1000);
  camera.updateMatrixWorld();
  const seen = (canvas: number, world: Matrix4) => seenDiagonal(viewpointOf(camera, canvas), world, 100);
  // At 90°, a canvas of 1000 pixels shows 2000 units at a distance of 1000; the nearest point is 50 units nearer.
  expect(seen(1000, new Matrix4())).toBeCloseTo((100 * 500) / 950, 5);
  expect(seen(2000, new Matrix4())).toBeCloseTo((100 * 1000) / 950, 5);
  expect(seen(1000, new Matrix4().makeScale(1, 3, 1))).toBeCloseTo((300 * 500) / 850, 5);
  expect(seen(1000, new Matrix4().makeTranslation(0, 0, 1000))).toBeGreaterThan(1000);
});
