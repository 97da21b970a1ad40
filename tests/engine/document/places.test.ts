import { describe, expect, test } from 'vitest';
import { directionOf, headingOf, placePanorama, placesOf, positionInRoom } from '../../../engine/document/places.ts';
import { remapElement, remapRoomConfig } from '../../../engine/document/remap.ts';
import { parseRoom } from '../../../engine/document/room.ts';
import { linksFrom, tourLinks, visiblePlaces } from '../../../engine/document/tour-links.ts';
import { createScene } from '../../../engine/scene/scene.ts';
import { PLAIN_POSE } from '../../harness/scene-player.ts';

const file = { id: 5, name: 'a.jpg', type: 'image', url: '/media/a.jpg', width: 8192, height: 4096 };
const photo = { file, file_id: 5 };
const turned = { rotation_x: 0.3, rotation_y: -1.1, rotation_z: 2, scale_x: 2, scale_y: 0.5, scale_z: -1.5 };

const tour = parseRoom({
  id: 1,
  title: 'Tour',
  template: { id: 1, name: 'Photo', model_type: 'pano', file },
  elements: [
    {
      id: 1,
      element: 'group',
      ...turned,
      position_x: 10,
      visible_at: [3, 4],
      children: [
        {
          id: 2,
          element: 'group',
          ...turned,
          position_y: 20,
          children: [
            { id: 3, element: 'view_point', ...photo, position_x: 7, position_z: -9, config: { order_rank: 2 } },
          ],
        },
        {
          id: 5,
          element: 'button',
          visible_at: [4],
          config: { navigation: { type: 'view_point', type_config: { view_point_id: 3 } } },
        },
      ],
    },
    { id: 4, element: 'view_point', ...photo, config: { order_rank: 1, panorama_heading: 40, panorama_roll: 2 } },
    { id: 6, element: 'view_point' },
  ],
});
const find = (id: number) => tour.elements.find((element) => element.id === id)!;

describe('places', () => {
  test('are view points with a panorama, in menu order', () => {
    expect(placesOf(tour.elements).map(({ id }) => id)).toEqual([4, 3]);
  });

  test('stand in the room where the scene has them', () => {
    const scene = createScene(tour);
    scene.tick({ time: 0, camera: PLAIN_POSE });
    const matrix: number[] = [];
    scene.worldMatrix(scene.entityOf(3)!, matrix);
    const { x, y, z } = positionInRoom(tour.elements, find(3));
    expect([x, y, z].map((value, axis) => Math.abs(value - matrix[12 + axis]!) < 1e-3)).toEqual([true, true, true]);
  });

  test('give the panorama around the visitor, or else the template does', () => {
    expect(placePanorama(tour, 4)).toMatchObject({ heading: 40, pitch: 0, roll: 2, position: { x: 0, y: 0, z: 0 } });
    for (const elsewhere of [0, 6, 99])
      expect(placePanorama(tour, elsewhere)).toEqual({
        file: expect.objectContaining({ id: 5 }),
        heading: 0,
        pitch: 0,
        roll: 0,
        position: null,
      });
    expect(placePanorama({ ...tour, template: null }, 6)).toBeNull();
  });

  test('are linked where the links are visible', () => {
    expect([...visiblePlaces(find(5), [find(1)])!]).toEqual([4]);
    expect(visiblePlaces(find(6), [])).toBeNull();
    const link = { from: 4, to: 3, element: { id: 5 } };
    expect(tourLinks(tour.elements)).toMatchObject([link]);
    expect([3, 4, 99].map((place) => linksFrom(tour.elements, place))).toMatchObject([[], [link], []]);
    // Looked up with each step in a room of thousands of elements.
    expect(linksFrom(tour.elements, 4)).toBe(linksFrom(tour.elements, 4));
    expect(linksFrom([...tour.elements], 4)).not.toBe(linksFrom(tour.elements, 4));
  });
});

test.each([
  [{ x: 0, y: 0, z: -1 }, 0, 0],
  [{ x: 1, y: 0, z: 0 }, 90, 0],
  [{ x: 0, y: 1, z: 1 }, 180, 45],
  [{ x: -3, y: 0, z: 0 }, 270, 0],
])('%o has a heading of %d and a pitch of %d', (direction, heading, pitch) => {
  const read = headingOf(direction);
  expect(read.heading).toBeCloseTo(heading, 9);
  expect(read.pitch).toBeCloseTo(pitch, 9);
  const { x, y, z } = directionOf(heading, pitch);
  const length = Math.hypot(direction.x, direction.y, direction.z);
  expect([x, y, z].map((value) => Number(value.toFixed(9)) + 0)).toEqual(
    [direction.x, direction.y, direction.z].map((value) => Number((value / length).toFixed(9)) + 0),
  );
});

describe('copies', () => {
  const ids = new Map<number, number | null>([
    [3, 33],
    [4, null],
  ]);

  test('are visible at copies of the view points', () => {
    expect(remapElement({ visible_at: [3, 4, 6] }, ids).visible_at).toEqual([33, 6]);
  });

  test('of elements whose view points are all missing do not appear everywhere', () => {
    expect(remapElement({ visible_at: [4] }, ids).visible_at).toEqual([4]);
  });

  test('are on plans where the originals were', () => {
    const marks = [3, 4, 6].map((view_point_id) => ({ view_point_id, x: view_point_id / 10, y: 0 }));
    expect(remapElement({ config: { plan_marks: marks } }, ids).config.plan_marks).toEqual([
      { view_point_id: 33, x: 0.3, y: 0 },
      { view_point_id: 6, x: 0.6, y: 0 },
    ]);
    // Invalid settings stay, for the schema to reject.
    const broken = { plan_marks: [null, 'x'] } as object;
    expect(remapElement({ config: broken }, ids).config).toEqual(broken);
  });

  test('keep the view on arrival', () => {
    const type_config = { view_point_id: 3, arrival: { heading: 5, pitch: 0 } };
    const copy = remapElement({ config: { navigation: { type: 'view_point', type_config } } }, ids);
    expect(copy.config.navigation.type_config).toEqual({ ...type_config, view_point_id: 33 });
  });

  test('start where the original did', () => {
    expect(remapRoomConfig({ start_view_point_id: 3 }, ids)).toEqual({ start_view_point_id: 33 });
    expect(remapRoomConfig({ start_view_point_id: 4 }, ids)).toEqual({ start_view_point_id: null });
    expect(remapRoomConfig({ start_view_point_id: 6 }, ids)).toEqual({ start_view_point_id: 6 });
    expect(remapRoomConfig({}, ids)).toEqual({});
  });
});
