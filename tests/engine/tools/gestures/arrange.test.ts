import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wallsOf } from '../../../../engine/document/arrangements/walls.ts';
import { parseRoom } from '../../../../engine/document/room.ts';
import {
  alignShifts,
  type Boxed,
  centerShifts,
  distributeShifts,
  heightShifts,
  type Shifts,
  wallShifts,
} from '../../../../engine/tools/gestures/arrange.ts';

const boxed = (id: number, [x, y, z]: number[], [w, h, d]: number[]): Boxed => ({
  id,
  min: { x: x! - w! / 2, y: y! - h! / 2, z: z! - d! / 2 },
  max: { x: x! + w! / 2, y: y! + h! / 2, z: z! + d! / 2 },
});

const moved = (boxes: readonly Boxed[], shifts: Shifts): Boxed[] =>
  boxes.map((each) => {
    const { x, y, z } = shifts.get(each.id) ?? { x: 0, y: 0, z: 0 };
    const by = (point: Boxed['min']) => ({ x: point.x + x, y: point.y + y, z: point.z + z });
    return { ...each, min: by(each.min), max: by(each.max) };
  });

const wide = boxed(1, [0, 0, 0], [100, 40, 2]);
const high = boxed(2, [300, 70, -5], [20, 200, 2]);
const small = boxed(3, [90, -30, 8], [10, 10, 10]);
const all = [wide, high, small];

describe('aligning', () => {
  test.each(['x', 'y', 'z'] as const)(
    'brings every edge and middle along %s to the active one, which stays',
    (axis) => {
      for (const [edge, of] of [
        ['min', ({ min }: Boxed) => min[axis]],
        ['max', ({ max }: Boxed) => max[axis]],
        ['middle', ({ min, max }: Boxed) => (min[axis] + max[axis]) / 2],
      ] as const) {
        const after = moved(all, alignShifts(all, high, axis, edge));
        expect(after.map(of)).toEqual([of(high), of(high), of(high)]);
        expect(after[1]).toEqual(high);
        for (const other of ['x', 'y', 'z'] as const)
          if (other !== axis) expect(after.map(({ min }) => min[other])).toEqual(all.map(({ min }) => min[other]));
      }
    },
  );
});

test.each([
  ['a gap that is given', 30, 30],
  ['no gap where they do not fit', undefined, 0],
])('distributing with %s keeps the center of the row, and nothing overlaps', (_, gap, wanted) => {
  const boxes = [boxed(0, [0, 0, 0], [100, 1, 1]), boxed(1, [20, 0, 0], [60, 1, 1]), boxed(2, [60, 0, 0], [40, 1, 1])];
  const after = moved(boxes, distributeShifts(boxes, 'x', gap));
  expect(after.slice(1).map(({ min }, at) => min.x - after[at]!.max.x)).toEqual([wanted, wanted]);
  expect((after[0]!.min.x + after[2]!.max.x) / 2).toBe((-50 + 80) / 2);
});

test('two boxes get a gap, too', () => {
  const boxes = [boxed(0, [0, 0, 0], [100, 1, 1]), boxed(1, [300, 0, 0], [100, 1, 1])];
  const after = moved(boxes, distributeShifts(boxes, 'x', 20));
  expect(after[1]!.min.x - after[0]!.max.x).toBe(20);
  expect(distributeShifts(boxes, 'x').size).toBe(0);
});

test('distributing leaves the same space between neighbors, and the outermost where they fit', () => {
  const side = fc.integer({ min: 1, max: 100 });
  const place = fc.integer({ min: -1000, max: 1000 });
  fc.assert(
    fc.property(fc.array(fc.tuple(place, side), { minLength: 3, maxLength: 8 }), (made) => {
      // Far enough from each other for all of them to fit.
      const boxes = made.map(([x, w], id) => boxed(id, [x * 8, 0, 0], [w, 1, 1]));
      const order = (list: readonly Boxed[]) =>
        list.toSorted((a, b) => a.min.x + a.max.x - b.min.x - b.max.x).map(({ id }) => id);
      const ids = order(boxes);
      const after = moved(boxes, distributeShifts(boxes, 'x'));
      const [first, ...rest] = ids.map((id) => after[id]!);
      const gaps = rest.map((each, at) => each.min.x - [first!, ...rest][at]!.max.x);
      for (const gap of gaps) expect(gap).toBeCloseTo(gaps[0]!, 6);
      for (const end of [ids[0]!, ids.at(-1)!]) expect(after[end]).toEqual(boxes[end]);
    }),
    { numRuns: 200, seed: 3 },
  );
});

test('a gap of zero leaves none, and a negative one lets neighbors overlap', () => {
  const boxes = [
    boxed(0, [0, 0, 0], [100, 1, 1]),
    boxed(1, [300, 0, 0], [100, 1, 1]),
    boxed(2, [500, 0, 0], [50, 1, 1]),
  ];
  for (const gap of [0, -20]) {
    const after = moved(boxes, distributeShifts(boxes, 'x', gap));
    expect(after.slice(1).map(({ min }, at) => min.x - after[at]!.max.x)).toEqual([gap, gap]);
  }
});

test('eye level centers each box at the same height and moves nothing sideways', () => {
  const after = moved(all, heightShifts(all, 155));
  expect(after.map(({ min, max }) => (min.y + max.y) / 2)).toEqual([155, 155, 155]);
  for (const axis of ['x', 'z'] as const)
    expect(after.map(({ min }) => min[axis])).toEqual(all.map(({ min }) => min[axis]));
});

test('the same distance to the wall is measured for each at the wall that is nearest to it', () => {
  const room = { width: 1000, depth: 2000 };
  const left = boxed(1, [-480, 0, 0], [2, 50, 50]);
  const back = boxed(2, [100, 0, -900], [50, 50, 4]);
  const right = boxed(3, [420, 20, 300], [10, 50, 50]);
  const after = moved([left, back, right], wallShifts([left, back, right], left, room));
  expect(after[0]).toEqual(left);
  expect(after[1]!.min.z + 1000, 'as far from its wall as the active one').toBe(19);
  expect(500 - after[2]!.max.x).toBe(19);
  expect(after[2]!.min.y).toBe(right.min.y);
});

test('boxes are centered together on the wall nearest to the active one, and keep their gaps and heights', () => {
  const walls = wallsOf(parseRoom({ id: 1, title: 'Hall', width: 1000, height: 500, depth: 2000 }));
  const [near, far] = [boxed(1, [-480, 30, 200], [2, 50, 100]), boxed(2, [-480, 0, 500], [2, 50, 60])];
  const after = moved([near, far], centerShifts([near, far], near, walls));
  // Along the left wall, from 150 to 530.
  const ends = after.map(({ min, max }) => [min.z, max.z].map(Math.round));
  expect(ends).toEqual([
    [-190, -90],
    [130, 190],
  ]);
  expect(after.map(({ min }) => [Math.round(min.x), min.y])).toEqual([
    [-481, 5],
    [-481, -25],
  ]);
});
