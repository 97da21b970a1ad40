import { describe, expect, test } from 'vitest';
import { applyCommand, type RoomCommand } from '../../../../engine/document/commands.ts';
import type { Element } from '../../../../engine/document/element.ts';
import { parseRoom, type Room } from '../../../../engine/document/room.ts';
import { branchOf, childrenOf, findElement, spotOf } from '../../../../engine/document/tree.ts';
import { groupCommands, roomMatrix, ungroupCommands } from '../../../../engine/tools/gestures/regroup.ts';

const raw = (id: number, fields: object = {}, children: object[] = []): object => ({
  id,
  element: children.length > 0 ? 'group' : 'image',
  ...fields,
  children,
});
const roomOf = (...elements: object[]): Element[] => parseRoom({ id: 1, title: 'Hall', elements }).elements;
const made = (id: number): Element => roomOf({ id, element: 'group' })[0]!;

/** 1 and 2 at the top with a group 3 between, which is turned and sized, and holds 4 and 5. */
const tree = (): Element[] =>
  roomOf(
    raw(1, { position_x: 10, position_y: 20, position_z: -30, rotation_y: 0.4 }),
    raw(3, { position_x: 100, rotation_z: Math.PI / 2, scale_x: 2, scale_y: 2, scale_z: 2 }, [
      raw(4, { position_x: 50, rotation_x: 0.2 }),
      raw(5, { position_y: -25, scale_x: 3 }),
    ]),
    raw(2, { position_x: -70, position_y: 5 }),
  );

const outcome = (elements: Element[], commands: readonly RoomCommand[]) =>
  commands.reduce(
    ({ room, back }, command) => {
      const applied = applyCommand(room, command);
      return { room: applied.room, back: [applied.inverse, ...back] };
    },
    { room: { elements } as Room, back: [] as RoomCommand[] },
  );

const places = (elements: readonly Element[], ids: readonly number[]) =>
  ids.map((id) => roomMatrix(elements, id).elements.map((value) => Math.round(value * 1000) / 1000 || 0));

describe('grouping in place', () => {
  test('siblings stand where they stood, to the last digit, and undoing gives the same document', () => {
    const before = tree();
    const { room, back } = outcome(
      before,
      groupCommands(before, new Set([1, 2]), made(9), { x: -29.5, y: 12, z: -15 }),
    );
    expect(spotOf(room.elements, 9)).toEqual({ parent: null, after: null });
    expect(childrenOf(room.elements, 9).map(({ id }) => id)).toEqual([1, 2]);
    expect(findElement(room.elements, 1)).toMatchObject({ position_x: 39, position_y: 8, position_z: -15 });
    expect(findElement(room.elements, 1)!.rotation_y).toBe(0.4);
    expect(places(room.elements, [1, 2])).toEqual(places(before, [1, 2]));
    expect(outcome(room.elements, back).room.elements).toEqual(before);
  });

  test('what stands in different groups comes together in the group that holds them all', () => {
    const before = tree();
    const { room } = outcome(before, groupCommands(before, new Set([4, 2]), made(9), { x: 0, y: 0, z: 0 }));
    expect(spotOf(room.elements, 9)).toEqual({ parent: null, after: 1 });
    expect(branchOf(room.elements, 9).map(({ id }) => id)).toEqual([9, 4, 2]);
    expect(places(room.elements, [4, 2])).toEqual(places(before, [4, 2]));
    const nested = outcome(before, groupCommands(before, new Set([4, 5]), made(9), { x: 100, y: 100, z: 0 })).room;
    expect(spotOf(nested.elements, 9)).toEqual({ parent: 3, after: null });
    expect(places(nested.elements, [4, 5])).toEqual(places(before, [4, 5]));
  });

  test('a group and what stands in it are taken as the group', () => {
    const before = tree();
    const { room } = outcome(before, groupCommands(before, new Set([3, 4, 1]), made(9), { x: 0, y: 0, z: 0 }));
    expect(childrenOf(room.elements, 9).map(({ id }) => id)).toEqual([1, 3]);
    expect(childrenOf(room.elements, 3).map(({ id }) => id)).toEqual([4, 5]);
  });
});

test('taking a turned and sized group apart leaves its children where they stood, in its place in the tree', () => {
  const before = tree();
  const { room, back } = outcome(before, ungroupCommands(before, 3));
  expect(room.elements.map(({ id }) => id)).toEqual([1, 4, 5, 2]);
  expect(places(room.elements, [4, 5])).toEqual(places(before, [4, 5]));
  expect(outcome(room.elements, back).room.elements).toEqual(before);
  expect(ungroupCommands(before, 99)).toEqual([]);
});
