import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyCommand, type RoomCommand } from '../../../engine/document/commands.ts';
import { parseRoom, type Room } from '../../../engine/document/room.ts';
import { childrenOf, findElement } from '../../../engine/document/tree.ts';
import { type Done, undoOf } from '../../../engine/document/undo-of.ts';
import { arbitraryCommand, arbitraryRoom } from '../../harness/arbitrary-room.ts';

const hall = parseRoom({
  id: 1,
  title: 'Hall',
  elements: [
    { id: 1, element: 'group', name: 'Wall', children: [{ id: 2, element: 'image', name: 'Picture' }] },
    { id: 3, element: 'text', name: 'Sign', position_x: 10 },
  ],
});

/** Does something to a room, and gives what it became. */
function doAll(room: Room, commands: readonly RoomCommand[]): { room: Room; done: Done } {
  let now = room;
  const inverses = commands.map((command) => {
    const applied = applyCommand(now, command);
    now = applied.room;
    return applied.inverse;
  });
  return { room: now, done: { commands, inverses: inverses.reverse() } };
}
const apply = (room: Room, commands: readonly RoomCommand[]) =>
  commands.reduce((now, command) => applyCommand(now, command).room, room);

describe('undoing something that was done earlier', () => {
  test('gives the room before it, where nothing was done since', () => {
    fc.assert(
      fc.property(arbitraryRoom(), fc.gen(), (room, gen) => {
        const commands: RoomCommand[] = [];
        let now = room;
        for (let count = 0; count < 8; count++) {
          const command = gen(() => arbitraryCommand(now));
          now = applyCommand(now, command).room;
          commands.push(command);
        }
        const { done } = doAll(room, commands);
        const placesOf = (each: Room) =>
          each.elements.map(({ id, name, parent_element_id, position_x }) => [id, name, parent_element_id, position_x]);
        expect(placesOf(apply(now, undoOf(done, now)))).toEqual(placesOf(room));
      }),
      { numRuns: 60, seed: 7, endOnFailure: true },
    );
  });

  test('leaves fields alone that were changed since, and undoes the others', () => {
    const { room, done } = doAll(hall, [{ type: 'element.update', id: 3, fields: { name: 'Board', position_x: 50 } }]);
    const later = apply(room, [{ type: 'element.update', id: 3, fields: { name: 'Notice' } }]);
    const sign = findElement(apply(later, undoOf(done, later)).elements, 3);
    expect([sign?.name, sign?.position_x]).toEqual(['Notice', 10]);
    const all = apply(later, [{ type: 'element.update', id: 3, fields: { position_x: 70 } }]);
    expect(undoOf(done, all)).toEqual([]);
  });

  test('brings back what was removed, while its place is there; and not twice', () => {
    const { room, done } = doAll(hall, [{ type: 'element.remove', id: 2 }]);
    const undone = apply(room, undoOf(done, room));
    expect(childrenOf(undone.elements, 1).map(({ id }) => id)).toEqual([2]);
    expect(undoOf(done, undone)).toEqual([]);
    expect(undoOf(done, apply(room, [{ type: 'element.remove', id: 1 }]))).toEqual([]);
  });

  test('does not remove what was added with what others put into it, nor move what was moved on', () => {
    const group = parseRoom({ id: 1, title: 'New', elements: [{ id: 9, element: 'group' }] }).elements[0]!;
    const { room, done } = doAll(hall, [{ type: 'element.add', elements: [group], parent: null, after: null }]);
    expect(undoOf(done, room)).toEqual([{ type: 'element.remove', id: 9 }]);
    const filled = apply(room, [{ type: 'element.move', id: 3, parent: 9, after: null }]);
    expect(undoOf(done, filled)).toEqual([]);

    const moved = doAll(hall, [{ type: 'element.move', id: 3, parent: 1, after: null }]);
    expect(findElement(apply(moved.room, undoOf(moved.done, moved.room)).elements, 3)?.parent_element_id).toBe(null);
    const on = apply(moved.room, [{ type: 'element.move', id: 3, parent: null, after: null }]);
    expect(undoOf(moved.done, on)).toEqual([]);
  });
});
