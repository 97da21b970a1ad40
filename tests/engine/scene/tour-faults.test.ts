import { describe, expect, test } from 'vitest';
import { lintRoom } from '../../../engine/document/lint/lint-room.ts';
import { parseRoom } from '../../../engine/document/room.ts';
import { createEditableScene, type EditableScene } from '../../../engine/scene/editable-scene.ts';
import { createScene } from '../../../engine/scene/scene.ts';
import { PLAIN_POSE } from '../../harness/scene-player.ts';

const file = { id: 5, name: 'a.jpg', type: 'image', url: '/media/a.jpg', width: 8192, height: 4096 };
const place = (id: number, more: object = {}) => ({ id, element: 'view_point', file, file_id: 5, ...more });
const link = (id: number, from: number, to: number) => ({
  id,
  element: 'button',
  visible_at: [from],
  config: { navigation: { type: 'view_point', type_config: { view_point_id: to } } },
});
/** Three places in a circle, each linked to the next. */
const circle = (config: object = { start_view_point_id: 1 }) =>
  parseRoom({
    id: 1,
    title: 'Circle',
    config,
    elements: [place(1), place(2), place(3), link(11, 1, 2), link(12, 2, 3), link(13, 3, 1)],
  });

const tick = (scene: EditableScene | ReturnType<typeof createScene>, ...ids: number[]) => {
  const input = ids.map((element_id) => ({ type: 'go_to', element_id }) as const);
  scene.tick({ time: 0, camera: PLAIN_POSE, input });
  return scene.place;
};
const codesOf = (scene: EditableScene) => lintRoom(scene.room).map(({ code }) => code);

describe('a tour', () => {
  test('that is a circle is walked round and round', () => {
    const scene = createScene(circle());
    const walked = Array.from({ length: 9 }, (_, step) => tick(scene, ((step + 1) % 3) + 1));
    expect(walked).toEqual([2, 3, 1, 2, 3, 1, 2, 3, 1]);
  });

  test('whose current place is deleted continues at its start', () => {
    const scene = createEditableScene(circle());
    expect(tick(scene, 2)).toBe(2);
    scene.patch({ type: 'element.remove', id: 2 });
    expect(tick(scene)).toBe(1);
    expect(scene.isVisible(scene.entityOf(11)!)).toBe(true);
    expect(codesOf(scene)).toContain('dead-link');
    // The link to it leads nowhere, and the visitor stays.
    expect(tick(scene, 2)).toBe(1);
  });

  test('whose start is deleted begins at its camera; visitors at the start continue at the first place', () => {
    const scene = createEditableScene(circle());
    expect(tick(scene)).toBe(1);
    scene.patch({ type: 'element.remove', id: 1 });
    expect(tick(scene)).toBe(2);
    expect(codesOf(scene)).toContain('dead-link');
    expect(tick(createScene(scene.room))).toBe(0);
  });

  test('that starts at a place of another space, or at none, begins at its camera', () => {
    for (const start_view_point_id of [999, 11, null]) {
      const scene = createScene(circle({ start_view_point_id }));
      expect(tick(scene)).toBe(0);
      expect(tick(scene, 999)).toBe(0);
      expect(tick(scene, 3)).toBe(3);
    }
  });

  test('of an earlier version has no current place, and its view points have no panorama', () => {
    const { config: _, ...older } = JSON.parse(JSON.stringify(circle()));
    for (const element of older.elements) {
      delete element.visible_at;
      delete element.file;
      delete element.file_id;
      delete element.config.panorama_heading;
    }
    const room = parseRoom(older);
    expect(room.config.start_view_point_id).toBeNull();
    const scene = createScene(room);
    expect(tick(scene)).toBe(0);
    for (const id of [11, 12, 13]) expect(scene.isVisible(scene.entityOf(id)!)).toBe(true);
    expect(tick(scene, 2)).toBe(2);
  });
});
