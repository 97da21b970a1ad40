import { describe, expect, test } from 'vitest';
import type { Vector } from '../../../engine/document/fields.ts';
import {
  type PlanPoint,
  planAspect,
  planHeading,
  planOf,
  plansOf,
  planTransform,
  pointOnPlan,
} from '../../../engine/document/plans.ts';
import { parseRoom } from '../../../engine/document/room.ts';

const file = { id: 5, name: 'a.jpg', type: 'image', url: '/media/a.jpg', width: 8192, height: 4096 };
const drawing = (width: number, height: number) => ({ file: { ...file, width, height }, file_id: 5 });

type Spot = Pick<Vector, 'x' | 'z'>;

/** A room with view points at positions, and a plan that marks them. */
function planned(spots: readonly Spot[], marks: readonly PlanPoint[], size: object = drawing(800, 400)) {
  const { elements } = parseRoom({
    id: 1,
    title: 'Tour',
    elements: [
      ...spots.map(({ x, z }, nth) => ({
        id: nth + 1,
        element: 'view_point',
        file,
        file_id: 5,
        position_x: x,
        position_z: z,
      })),
      {
        id: 100,
        element: 'image',
        name: 'Ground floor',
        ...size,
        config: { appearance: 'plan', plan_marks: marks.map((mark, nth) => ({ view_point_id: nth + 1, ...mark })) },
      },
    ],
  });
  return { elements, transform: planTransform(plansOf(elements)[0]!, elements) };
}

const SPOTS: Spot[] = [
  { x: 0, z: 0 },
  { x: 1000, z: 0 },
  { x: 1000, z: -3000 },
  { x: -500, z: 200 },
];

/** The marks on a plan that is turned clockwise around its center. @param scale in plan heights per unit */
const turned = (spots: readonly Spot[], degrees: number, scale: number, aspect: number): PlanPoint[] =>
  spots.map(({ x, z }) => {
    const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
    return { x: 0.5 + (scale * (cos * x - sin * z)) / aspect, y: 0.5 + scale * (sin * x + cos * z) };
  });

describe('the transform of a plan', () => {
  test.each([0, 30, 90, 180, -135])('follows a plan turned by %d degrees', (degrees) => {
    const marks = turned(SPOTS, degrees, 0.0001, 2);
    const { transform } = planned(SPOTS, marks);
    expect(transform!.scale).toBeCloseTo(0.0001, 12);
    expect(transform!.rotation).toBeCloseTo(degrees, 9);
    for (const [nth, spot] of SPOTS.entries()) {
      const point = pointOnPlan(transform!, spot)!;
      expect(point.x).toBeCloseTo(marks[nth]!.x, 9);
      expect(point.y).toBeCloseTo(marks[nth]!.y, 9);
    }
    // From the first place, the way to the second points the same way on the plan.
    const [from, to] = marks;
    const drawn = (Math.atan2((to!.x - from!.x) * 2, from!.y - to!.y) * 180) / Math.PI;
    expect(planHeading(transform!, 90)).toBeCloseTo((drawn + 360) % 360, 9);
  });

  test('is exact with two marks', () => {
    const marks = [
      { x: 0.25, y: 0.75 },
      { x: 0.75, y: 0.75 },
    ];
    const { transform } = planned(SPOTS, marks);
    expect(transform).toMatchObject({ rotation: 0, aspect: 2 });
    expect(transform!.scale).toBeCloseTo(0.001, 12);
    const ahead = pointOnPlan(transform!, { x: 500, z: -250 })!;
    expect(ahead.x).toBeCloseTo(0.5, 12);
    expect(ahead.y).toBeCloseTo(0.5, 12);
  });

  test('averages marks that were placed by hand', () => {
    const marks = turned(SPOTS, 10, 0.0001, 2).map(({ x, y }, nth) => ({
      x: x + (nth % 2 === 0 ? 0.004 : -0.004),
      y: y + (nth < 2 ? 0.004 : -0.004),
    }));
    const { transform } = planned(SPOTS, marks);
    expect(Math.abs(transform!.rotation - 10)).toBeLessThan(5);
    for (const [nth, spot] of SPOTS.entries()) {
      const point = pointOnPlan(transform!, spot)!;
      expect(Math.hypot((point.x - marks[nth]!.x) * 2, point.y - marks[nth]!.y)).toBeLessThan(0.02);
    }
  });

  test('does not exist without marks', () => {
    expect(planned(SPOTS, []).transform).toBeUndefined();
  });

  test.each([
    ['one mark', [SPOTS[1]!], [{ x: 0.2, y: 0.4 }]],
    ['places in one spot', [SPOTS[1]!, SPOTS[1]!], turned([SPOTS[0]!, SPOTS[2]!], 0, 0.0001, 2)],
    ['marks in one spot', SPOTS, SPOTS.map(() => ({ x: 0.2, y: 0.4 }))],
    [
      'mirrored marks',
      [
        { x: 100, z: 0 },
        { x: -100, z: 0 },
        { x: 0, z: 100 },
        { x: 0, z: -100 },
      ],
      [
        { x: 0.4, y: 0.5 },
        { x: 0.6, y: 0.5 },
        { x: 0.5, y: 0.7 },
        { x: 0.5, y: 0.3 },
      ],
    ],
  ])('with %s has −z up and no scale', (_, spots, marks) => {
    const { transform } = planned(spots, marks);
    expect(transform).toMatchObject({ scale: null, rotation: 0 });
    expect(planHeading(transform!, 30)).toBe(30);
    expect(pointOnPlan(transform!, spots[0]!)).toBeUndefined();
  });

  test('ignores marks of missing view points and of other elements', () => {
    const { elements } = planned(SPOTS.slice(0, 2), turned(SPOTS, 0, 0.0001, 2));
    const marks = turned(SPOTS, 0, 0.0001, 2).slice(0, 2);
    const plan = plansOf(elements)[0]!;
    const stray = { ...plan, config: { ...plan.config } };
    stray.config.plan_marks = [...plan.config.plan_marks, { view_point_id: 100, x: 1, y: 1 }];
    expect(planTransform(stray, elements)).toEqual(planned(SPOTS.slice(0, 2), marks).transform);
  });
});

test('the shape of a plan is that of its file, or else of its element', () => {
  const shape = (size: object) => planAspect(plansOf(planned([], [], size).elements)[0]!);
  expect(shape(drawing(300, 400))).toBe(0.75);
  expect(shape({ width: 500, height: 250 })).toBe(2);
  expect(shape({ width: 500 })).toBe(1);
});

test('the floors of a room in order, and the first that marks a place', () => {
  const mark = (view_point_id: number) => ({ view_point_id, x: 0.5, y: 0.5 });
  const floor = (id: number, ...marks: number[]) => ({
    id,
    element: 'image',
    config: { appearance: 'plan', plan_marks: marks.map(mark) },
  });
  const { elements } = parseRoom({
    id: 1,
    title: 'Tour',
    elements: [
      { id: 1, element: 'view_point' },
      floor(11, 2),
      { id: 12, element: 'image', config: { plan_marks: [mark(1)] } },
      { id: 13, element: 'group', children: [floor(14, 1, 2)] },
    ],
  });
  expect(plansOf(elements).map(({ id }) => id)).toEqual([11, 14]);
  expect([1, 2, 3].map((id) => planOf(elements, id)?.id)).toEqual([14, 11, undefined]);
});
