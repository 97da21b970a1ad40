import { describe, expect, test } from 'vitest';
import type { Vector } from '../../../engine/document/fields.ts';
import { headingTurn, levelOrientation, lineKind } from '../../../engine/document/orientation.ts';
import { directionOf, headingOf } from '../../../engine/document/places.ts';
import { rotationOf } from '../../../engine/document/rotation.ts';

const minus = (a: Vector, b: Vector) => ({ x: a.x - b.x, y: a.y - b.y, z: a.z - b.z });

/** A direction turned around the vertical axis, clockwise. */
const turned = (way: Vector, degrees: number) => {
  const { heading, pitch } = headingOf(way);
  return directionOf(heading + degrees, pitch);
};

describe('the same point picked in two photos', () => {
  const [a, b] = [
    { x: 0, y: 0, z: 0 },
    { x: 900, y: 0, z: -200 },
  ];

  test.each([
    ['on the floor', { x: 700, y: -500, z: -1200 }, -37],
    ['on a ceiling', { x: -300, y: 600, z: -500 }, 37],
  ])('aligns them by a point %s', (_name, point, turn) => {
    const shown = turned(minus(point, b), -turn);
    expect(headingTurn({ position: a, way: minus(point, a) }, { position: b, way: shown })).toBeCloseTo(turn, 3);
  });

  test('far away, or in photos from one spot, is in the same direction from both', () => {
    expect(
      headingTurn({ position: a, way: directionOf(20, 1) }, { position: b, way: directionOf(350, 1) }),
    ).toBeCloseTo(30);
    const near = { x: 10, y: 0, z: 0 };
    expect(
      headingTurn({ position: a, way: directionOf(20, -30) }, { position: near, way: directionOf(50, -30) }),
    ).toBeCloseTo(-30);
  });

  test('straight above or below counts as far away', () => {
    expect(
      Number.isFinite(
        headingTurn({ position: a, way: { x: 0, y: 1, z: 0 } }, { position: b, way: { x: 0, y: -1, z: 0 } }),
      ),
    ).toBe(true);
  });
});

describe('lines that must be level or vertical', () => {
  const truth = { heading: 50, pitch: 8, roll: -11 };
  /** A true direction as shown without pitch and roll. */
  const shown = (way: Vector): Vector => {
    const [real, flat] = [rotationOf(truth), rotationOf({ heading: truth.heading, pitch: 0, roll: 0 })];
    const image = [0, 3, 6].map((at) => real[at]! * way.x + real[at + 1]! * way.y + real[at + 2]! * way.z);
    const [x, y, z] = [0, 1, 2].map((row) =>
      image.reduce((sum, value, column) => sum + value * flat[column * 3 + row]!, 0),
    );
    return { x: x!, y: y!, z: z! };
  };
  const line = (must: 'level' | 'vertical', one: readonly [number, number], other: readonly [number, number]) => ({
    must,
    from: shown(directionOf(...one)),
    to: shown(directionOf(...other)),
  });
  const now = { heading: 50, pitch: 0, roll: 0 };

  test.each([
    ['two verticals', [line('vertical', [50, -20], [50, 20]), line('vertical', [130, -15], [130, 25])]],
    ['a horizon in two directions', [line('level', [40, 0], [70, 0]), line('level', [140, 0], [170, 0])]],
    ['one of each', [line('vertical', [50, -20], [50, 20]), line('level', [30, 0], [80, 0])]],
  ])('give pitch and roll: %s', (_name, lines) => {
    const found = levelOrientation(now, lines)!;
    expect(found.pitch).toBeCloseTo(truth.pitch, 4);
    expect(found.roll).toBeCloseTo(truth.roll, 4);
  });

  test('change as little as possible if they say the same', () => {
    const vertical = line('vertical', [50, -20], [50, 20]);
    const found = levelOrientation(now, [vertical, vertical])!;
    expect(Math.abs(found.pitch)).toBeLessThan(3);
    expect(found.roll).toBeCloseTo(truth.roll, 0);
  });

  test('are ignored if too short, and known by their direction', () => {
    expect(levelOrientation(now, [line('level', [50, 0], [51, 0])])).toBeUndefined();
    expect(lineKind(directionOf(0, -10), directionOf(3, 20))).toBe('vertical');
    expect(lineKind(directionOf(0, -10), directionOf(30, -5))).toBe('level');
  });
});
