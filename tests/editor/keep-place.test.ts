import { expect, test } from 'vitest';
import { applyCommand } from '../../engine/document/commands.ts';
import { parseRoom, type Room } from '../../engine/document/room.ts';
import { findElement } from '../../engine/document/tree.ts';
import { createScene } from '../../engine/scene/scene.ts';
import { fieldsInPlace } from '../../src/editor/sidebar/keep-place.ts';
import { PLAIN_POSE } from '../harness/scene-player.ts';

const hall = parseRoom({
  id: 1,
  title: 'Hall',
  elements: [
    {
      id: 1,
      element: 'group',
      position_x: 500,
      position_z: -200,
      rotation_y: 1.2,
      scale_x: 2,
      scale_y: 2,
      scale_z: 2,
      children: [{ id: 2, element: 'image', parent_element_id: 1, position_x: 30, rotation_z: 0.4 }],
    },
    { id: 3, element: 'group', position_y: 80, rotation_x: 0.5 },
    { id: 4, element: 'group', scale_x: 0 },
  ],
});

/** Where an element is in the room: 4 × 4. */
function matrixOf(room: Room, id: number): readonly number[] {
  const scene = createScene(room);
  scene.tick({ time: 0, camera: PLAIN_POSE });
  return scene.state().elements[id]!.matrix;
}

/** The room with an element in another group. */
function moved(room: Room, id: number, parent: number | null): Room {
  const fields = fieldsInPlace(room.elements, findElement(room.elements, id)!, parent);
  const there = applyCommand(room, { type: 'element.move', id, parent, after: null }).room;
  return applyCommand(there, { type: 'element.update', id, fields }).room;
}

test.each([null, 3])('what goes from a group to %s stays where it is in the room, but for whole units', (parent) => {
  const before = matrixOf(hall, 2);
  const there = moved(hall, 2, parent);
  const after = matrixOf(there, 2);
  for (const [index, value] of before.entries())
    expect(Math.abs(after[index]! - value), `number ${index}`).toBeLessThan(index < 12 ? 1e-4 : 1);
  const back = matrixOf(moved(there, 2, 1), 2);
  for (const [index, value] of before.entries())
    expect(Math.abs(back[index]! - value)).toBeLessThan(index < 12 ? 1e-4 : 3);
});

test('a group without an inside changes nothing of what comes into it', () => {
  expect(fieldsInPlace(hall.elements, findElement(hall.elements, 3)!, 4)).toEqual({});
});
