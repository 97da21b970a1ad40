import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { layOut, type Sides } from '../../../../engine/tools/gestures/lay-out.ts';
import type { Extent } from '../../../../engine/tools/gestures/snapping.ts';

const room: Sides = { width: 2000, height: 600, depth: 2000 };
const floor = { surface: { x: 0, y: -300, z: 0 }, normal: { x: 0, y: 1, z: 0 }, turn: 0 };
const wall = { surface: { x: 1000, y: 0, z: 0 }, normal: { x: -1, y: 0, z: 0 }, turn: -Math.PI / 2 };

const around = ({ x, y, z }: { x: number; y: number; z: number }, [w, h, d]: readonly number[]): Extent => ({
  min: { x: x - w! / 2, y: y - h! / 2, z: z - d! / 2 },
  max: { x: x + w! / 2, y: y + h! / 2, z: z + d! / 2 },
});
/** Whether one is in another, or both lie in one plane over each other. */
const touch = (a: Extent, b: Extent) =>
  (['x', 'y', 'z'] as const).every(
    (axis) =>
      (a.min[axis] < b.max[axis] - 1 && b.min[axis] < a.max[axis] - 1) ||
      (axis === 'x' && Math.abs(a.min.x - b.min.x) < 1),
  );

describe('new things', () => {
  test('rest on the floor, hang below the ceiling, and stand off a wall', () => {
    const [body] = layOut([{ width: 100, height: 80, depth: 60 }], floor, room, []);
    expect(body).toEqual({ x: 0, y: -260, z: 0 });
    const ceiling = { surface: { x: 0, y: 300, z: 0 }, normal: { x: 0, y: -1, z: 0 }, turn: 0 };
    expect(layOut([{ width: 100, height: 80, depth: 60 }], ceiling, room, [])[0]!.y).toBe(260);
    const [picture] = layOut([{ width: 300, height: 200, depth: 4 }], wall, room, []);
    expect(picture!.x).toBeCloseTo(988, 6);
  });

  test('never lie outside of the room or over one another, nor over what is there', () => {
    const side = fc.integer({ min: 20, max: 260 });
    const sides = fc.record({ width: side, height: side, depth: fc.constantFrom(0, 2, 40) });
    const place = fc.integer({ min: -900, max: 900 });
    fc.assert(
      fc.property(fc.array(sides, { minLength: 1, maxLength: 6 }), place, (things, z) => {
        const spot = { ...wall, surface: { ...wall.surface, z } };
        const there = around({ x: 989, y: 0, z }, [10, 100, 100]);
        // On this wall, the width runs along the depth of the room.
        const extents = layOut(things, spot, room, [there]).map((middle, at) =>
          around(middle, [things[at]!.depth, things[at]!.height, things[at]!.width]),
        );
        for (const [at, extent] of extents.entries()) {
          expect(Math.max(Math.abs(extent.min.z), Math.abs(extent.max.z))).toBeLessThanOrEqual(1000.001);
          expect(Math.max(Math.abs(extent.min.y), Math.abs(extent.max.y))).toBeLessThanOrEqual(300.001);
          expect(touch(extent, there)).toBe(false);
          for (const other of extents.slice(at + 1)) expect(touch(extent, other)).toBe(false);
        }
      }),
      { numRuns: 150, seed: 5 },
    );
  });
});
