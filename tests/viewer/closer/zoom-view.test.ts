import { describe, expect, test } from 'vitest';
import { FITTED, fittedSize, maxScale, shownTiles, within, zoomedAt } from '../../../src/viewer/closer/zoom-view.ts';

const area = { width: 400, height: 300 };
const fitted = { width: 400, height: 200 };

test('an image fits the area, whichever side is longer, and is enlarged if it is smaller', () => {
  expect(fittedSize({ width: 4000, height: 2000 }, area)).toEqual({ width: 400, height: 200 });
  expect(fittedSize({ width: 100, height: 300 }, area)).toEqual({ width: 100, height: 300 });
  expect(fittedSize({ width: 40, height: 20 }, area)).toEqual({ width: 400, height: 200 });
});

test('the largest magnification shows each pixel of the image as two of the screen, and is at least 2', () => {
  expect(maxScale(4000, 400, 1)).toBe(20);
  expect(maxScale(4000, 400, 2)).toBe(10);
  expect(maxScale(100, 400, 1)).toBe(2);
});

test('magnifying keeps the point under the pointer, within limits', () => {
  const at = { x: 50, y: -20 };
  const next = zoomedAt({ scale: 1, x: 0, y: 0 }, 2, at, 8);
  expect(next).toEqual({ scale: 2, x: -50, y: 20 });
  // The point's place in the image is the same before and after.
  expect((at.x - next.x) / next.scale).toBe(50);
  expect(zoomedAt(next, 100, at, 8).scale).toBe(8);
  expect(zoomedAt(next, 0.001, at, 8).scale).toBe(1);
});

test('an image cannot be dragged out of the area; one smaller than it stays in the middle', () => {
  expect(within({ scale: 1, x: 90, y: 90 }, fitted, area)).toEqual(FITTED);
  expect(within({ scale: 2, x: 900, y: -900 }, fitted, area)).toEqual({ scale: 2, x: 200, y: -50 });
});

describe('tiles', () => {
  const tiles = { width: 5000, height: 2500, columns: 5, rows: 3, urlOf: () => '' };
  const shown = (view: Parameters<typeof shownTiles>[0]) => shownTiles(view, fitted, area, tiles, 1024);
  const names = (view: Parameters<typeof shownTiles>[0]) => shown(view).map(({ column, row }) => `${column}-${row}`);

  test('all of an image that fits, and only those in view of a magnified one', () => {
    expect(names(FITTED)).toHaveLength(15);
    expect(names({ scale: 10, x: 0, y: 0 })).toEqual(['2-1']);
    expect(names(within({ scale: 10, x: 1e6, y: 1e6 }, fitted, area))).toEqual(['0-0']);
    expect(names(within({ scale: 10, x: -1e6, y: -1e6 }, fitted, area))).toEqual(['4-2']);
  });

  test('cover the image exactly, with narrower ones at its edges', () => {
    const last = shown(FITTED).at(-1)!;
    expect(last.left + last.width).toBeCloseTo(1);
    expect(last.top + last.height).toBeCloseTo(1);
    expect(last.width).toBeCloseTo((5000 - 4 * 1024) / 5000);
  });
});
