import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { lintRoom } from '../../../engine/document/lint/lint-room.ts';
import { headingOf, type PlaceElement, placesOf } from '../../../engine/document/places.ts';
import { plansOf } from '../../../engine/document/plans.ts';
import { parseRoom, type Room } from '../../../engine/document/room.ts';
import { linkedViewPoint, oneWayLinks, tourLinks } from '../../../engine/document/tour-links.ts';
import { build } from '../../../fixtures/make/house/building.ts';
import { DOORS, doorBetween, eyeOf, onPlan, ROOMS, type RoomPlan, vaseOf } from '../../../fixtures/make/house/plan.ts';
import { hoursRoom } from '../../../fixtures/make/house/room.ts';
import { Caster } from '../../../fixtures/make/house/solids.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** Elements get their files when the demo is installed. */
const withFiles = (document: { elements: { element: string; config?: { file_url?: string } }[] }) => ({
  ...document,
  elements: document.elements.map((element) =>
    element.config?.file_url
      ? { ...element, file_id: 1, file: { id: 1, name: 'file', type: 'image', url: element.config.file_url } }
      : element,
  ),
});

let text: string;
let room: Room;
let places: PlaceElement[];
beforeAll(async () => {
  text = await readFile(join(ROOT, 'fixtures/rooms/demo-hours.json'), 'utf8');
  room = parseRoom(withFiles(JSON.parse(text)));
  places = placesOf(room.elements);
});

const roomNamed = (name: string) => ROOMS.find((one) => one.name === name)!;
const headingTo = (from: RoomPlan, x: number, z: number) =>
  headingOf({ x: x - from.place[0], y: 0, z: z - from.place[1] }).heading;
const apart = (one: number, other: number) => Math.abs(((one - other + 540) % 360) - 180);

describe('the demo tour', () => {
  test('is what its script writes', () => {
    expect(text).toBe(hoursRoom());
  });

  test('leads through every door of the house in both directions, exactly where the door is', () => {
    expect(places.length).toBeGreaterThanOrEqual(7);
    const links = tourLinks(room.elements);
    expect(oneWayLinks(links)).toEqual([]);
    expect(links).toHaveLength(2 * DOORS.length);
    for (const { from, to, element } of links) {
      const [here, there] = [from, to].map((id) => places.find((place) => place.id === id)!);
      const [a, b] = [roomNamed(here!.config.name), roomNamed(there!.config.name)];
      const door = doorBetween(a.key, b.key);
      const shown = headingOf({
        x: element.position_x - here!.position_x,
        y: 0,
        z: element.position_z - here!.position_z,
      });
      expect(apart(shown.heading, headingTo(a, door.x, door.z)), element.name).toBeLessThan(1);
      expect(linkedViewPoint(element)).toBe(there!.id);
    }
  });

  test('has no findings of the lint about tours, and marks every place on its plan', () => {
    const codes = lintRoom(room).map(({ code }) => code);
    for (const code of ['unreachable-place', 'one-way-door', 'place-without-name', 'missing-heading'] as const)
      expect(codes).not.toContain(code);
    const [plan] = plansOf(room.elements);
    expect(plan!.config.plan_marks).toHaveLength(places.length);
    for (const { view_point_id, x, y } of plan!.config.plan_marks) {
      const [px, pz] = roomNamed(places.find(({ id }) => id === view_point_id)!.config.name).place;
      expect(Math.hypot(x - onPlan(px, pz).x, y - onPlan(px, pz).y)).toBeLessThan(1e-4);
    }
  });
});

const hueOf = ([r, g, b]: readonly [number, number, number]) =>
  (Math.atan2(Math.sqrt(3) * (g - b), 2 * r - g - b) * 180) / Math.PI;

describe('the panoramas of the demo tour', () => {
  const caster = new Caster(build().solids);

  /** Vases that the building says are seen from a place: nothing else is on the way. */
  const seen = (from: RoomPlan) =>
    ROOMS.filter((owner) => {
      const [eye, vase] = [eyeOf(from), vaseOf(owner)];
      const way = vase.map((value, axis) => value - eye[axis]!) as [number, number, number];
      const length = Math.hypot(...way);
      const [x, y, z] = way.map((value) => value / length) as [number, number, number];
      return length < 7 && caster.cast(...eye, x, y, z, length - 0.3, true).body < 0;
    });

  test.each(ROOMS.map((one) => [one.name, one] as const))('show what the building says: %s', async (name, from) => {
    const { panorama_heading, file_url } = places.find(({ config }) => config.name === name)!.config;
    expect(panorama_heading).not.toBe(0);
    const { data, info } = await sharp(join(ROOT, file_url)).raw().toBuffer({ resolveWithObject: true });
    const vases = seen(from);
    expect(vases).toContain(from);
    for (const owner of vases) {
      const [eye, vase] = [eyeOf(from), vaseOf(owner)];
      const { heading, pitch } = headingOf({ x: vase[0] - eye[0], y: vase[1] - eye[1], z: vase[2] - eye[2] });
      const across = (((heading - panorama_heading) / 360 + 1.5) % 1) * info.width;
      const at = (Math.floor((0.5 - pitch / 180) * info.height) * info.width + Math.floor(across)) * info.channels;
      const shown = hueOf([data[at]!, data[at + 1]!, data[at + 2]!]);
      const wanted = Number.parseInt(owner.color.slice(1), 16);
      const hue = hueOf([wanted >> 16, (wanted >> 8) & 255, wanted & 255]);
      expect(apart(shown, hue), `the vase of ${owner.name}`).toBeLessThan(25);
    }
  });
});
