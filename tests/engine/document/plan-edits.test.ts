import { describe, expect, test } from 'vitest';
import { MAX_PLAN_MARKS } from '../../../engine/document/constants.ts';
import {
  linesInFrame,
  marksInFrame,
  planFrame,
  unmarkedPlaces,
  withMark,
} from '../../../engine/document/plan-edits.ts';
import { plansOf, planTransform, pointOnPlan } from '../../../engine/document/plans.ts';
import { parseRoom } from '../../../engine/document/room.ts';
import { hotspotCopies, hotspotCopy, isHotspot, missingWays } from '../../../engine/document/tour-edits.ts';

const file = { id: 9, name: '9.jpg', type: 'image', url: '/media/9.jpg', width: 800, height: 400 };
const place = (id: number, x: number, z: number) => ({
  ...{ id, element: 'view_point', file_id: 9, file, position_x: x, position_z: z },
  config: { name: `P${id}`, order_rank: id },
});
const door = (id: number, from: number, to: number) => ({
  ...{ id, element: 'button', name: `Door ${id}`, visible_at: [from], position_x: 30, position_y: -20, position_z: 70 },
  config: { appearance: 'hotspot', navigation: { type: 'view_point', type_config: { view_point_id: to } } },
});
const marks = [{ view_point_id: 1, x: 0.25, y: 0.5 }];
const plan = { id: 8, element: 'image', file_id: 9, file, config: { appearance: 'plan', plan_marks: marks } };
const { elements } = parseRoom({
  id: 1,
  title: 'Tour',
  elements: [
    place(1, 0, 0),
    place(2, 2000, 0),
    place(3, 2000, -900),
    door(5, 1, 2),
    door(6, 2, 1),
    door(7, 2, 3),
    plan,
  ],
});

describe('marks on a plan', () => {
  test('are added, moved, kept inside the image, and limited', () => {
    expect(withMark(marks, 2, { x: 1.2, y: -3 })).toEqual([...marks, { view_point_id: 2, x: 1, y: 0 }]);
    expect(withMark(marks, 1, { x: 0.1, y: 0.2 })).toEqual([{ view_point_id: 1, x: 0.1, y: 0.2 }]);
    const full = Array.from({ length: MAX_PLAN_MARKS }, (_, nth) => ({ view_point_id: nth + 1, x: 0, y: 0 }));
    expect(withMark(full, 9999, { x: 0, y: 0 })).toHaveLength(MAX_PLAN_MARKS);
  });

  test('are missing for places on no floor', () => {
    expect(unmarkedPlaces(elements).map(({ id }) => id)).toEqual([2, 3]);
  });

  test('of a drawn plan agree with the positions', () => {
    const frame = planFrame(elements)!;
    const drawn = marksInFrame(elements, frame);
    expect(drawn).toHaveLength(3);
    const floor = plansOf(elements)[0]!;
    const size = { ...file, width: 1000, height: Math.round((1000 * frame.depth) / frame.width) };
    const transform = planTransform(
      { ...floor, file: size, config: { ...floor.config, plan_marks: drawn } },
      elements,
    )!;
    expect(transform.rotation).toBeCloseTo(0, 1);
    for (const { view_point_id, x, y } of drawn) {
      const at = elements.find(({ id }) => id === view_point_id)!;
      const point = pointOnPlan(transform, { x: at.position_x, z: at.position_z })!;
      expect(point.x).toBeCloseTo(x, 2);
      expect(point.y).toBeCloseTo(y, 2);
    }
    // The links between 1 and 2, both ways, are one line.
    expect(linesInFrame(elements, frame)).toHaveLength(2);
    expect(planFrame([])).toBeUndefined();
  });
});

describe('what a tour lacks', () => {
  const pairs = (id: number) => missingWays(elements, id).map(({ from, to }) => [from.id, to.id]);
  test('is the way back of a one-way link, or links with the nearest place', () => {
    expect(pairs(1)).toEqual([]);
    expect(pairs(3)).toEqual([[3, 2]]);
    const alone = parseRoom({
      id: 1,
      title: 'Alone',
      elements: [place(1, 0, 0), place(2, 2000, 0), place(3, 2000, -900)],
    }).elements;
    expect(missingWays(alone, 1).map(({ from, to }) => [from.id, to.id])).toEqual([
      [2, 1],
      [1, 2],
    ]);
  });
});

describe('copies of hotspots', () => {
  test('are in the same direction from other places, except where they lead', () => {
    const hotspots = elements.filter(isHotspot).filter(({ id }) => id === 5);
    const copies = hotspotCopies(elements, hotspots, new Set([1, 2, 3]));
    expect(copies.map((copy) => copy.place.id)).toEqual([3]);
    expect(hotspotCopy(elements, copies[0]!, 50)).toMatchObject({
      ...{ id: 50, visible_at: [3], name: 'Door 5', position_x: 2030, position_y: -20, position_z: -830 },
      config: { navigation: { type_config: { view_point_id: 2 } } },
    });
  });
});
