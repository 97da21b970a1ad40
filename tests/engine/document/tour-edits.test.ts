import { describe, expect, test } from 'vitest';
import type { Vector } from '../../../engine/document/fields.ts';
import { lintRoom } from '../../../engine/document/lint/lint-room.ts';
import {
  directionOf,
  headingOf,
  type PlaceElement,
  placesOf,
  positionInRoom,
} from '../../../engine/document/places.ts';
import { nestedRoom, parseRoom } from '../../../engine/document/room.ts';
import { doorElement, missingLinks, wayBetween } from '../../../engine/document/tour-edits.ts';

const place = (id: number, x: number, z: number) => ({
  id,
  element: 'view_point',
  position_x: x,
  position_z: z,
  file_id: id,
  file: { id, name: `${id}.jpg`, type: 'image', url: `/media/${id}.jpg` },
  config: { name: `Place ${id}`, order_rank: id },
});
const tour = parseRoom({ id: 1, title: 'Tour', elements: [place(1, 0, 0), place(2, 1000, 0), place(3, 1000, 1000)] });
const at = (place: PlaceElement) => positionInRoom(tour.elements, place);
const door = (from: PlaceElement, to: PlaceElement, way: Vector) => ({
  from: { id: from.id, position: at(from) },
  to: { id: to.id, name: to.config.name },
  way,
});
const pairs = (links: ReturnType<typeof missingLinks>) => links.map(({ from, to }) => `${from.id}–${to.id}`);

describe('links of a tour', () => {
  test('are proposed in both directions', () => {
    expect(pairs(missingLinks(tour.elements, 'consecutive'))).toEqual(['1–2', '2–1', '2–3', '3–2']);
    expect(pairs(missingLinks(tour.elements, 'none'))).toEqual([]);
  });

  test('lie in the direction of the place that they lead to', () => {
    const [one, two, three] = placesOf(tour.elements);
    expect(headingOf(wayBetween(at(one!), at(two!))).heading).toBeCloseTo(90, 9);
    const hotspot = doorElement(9, door(two!, three!, directionOf(180, 0)));
    expect(hotspot).toMatchObject({ visible_at: [2], position_x: 1000, position_y: 0, position_z: 937 });
    expect(hotspot.config).toMatchObject({ title: 'Place 3', appearance: 'hotspot' });
  });

  test('satisfy the linter once all are there', () => {
    const doors = missingLinks(tour.elements, 'consecutive').map((link, nth) =>
      doorElement(10 + nth, door(link.from, link.to, wayBetween(at(link.from), at(link.to)))),
    );
    const whole = { ...tour, elements: [...tour.elements, ...doors] };
    expect(missingLinks(whole.elements, 'consecutive')).toEqual([]);
    expect(lintRoom(nestedRoom(whole)).map(({ code }) => code)).not.toContain('one-way-door');
    expect(lintRoom(nestedRoom(tour)).map(({ code }) => code)).toContain('unreachable-place');
  });
});
