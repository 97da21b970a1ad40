import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyCommand, applyCommands, type RoomCommand } from '../../../engine/document/commands.ts';
import { branchOf, childrenOf, findElement } from '../../../engine/document/tree.ts';
import { createEditableScene } from '../../../engine/scene/editable-scene.ts';
import { arbitraryCommand, arbitraryRoom } from '../../harness/arbitrary-room.ts';

test('edits that are applied together come to what they come to one after the other, and so do their inverses', () => {
  fc.assert(
    fc.property(arbitraryRoom(), fc.gen(), (room, gen) => {
      const commands: RoomCommand[] = [];
      let one = room;
      const inverses: RoomCommand[] = [];
      const add = (command: RoomCommand) => {
        const applied = applyCommand(one, command);
        one = applied.room;
        commands.push(command);
        inverses.push(applied.inverse);
      };
      for (let count = 0; count < 8; count++) add(gen(() => arbitraryCommand(one)));
      // Every element at once, groups with what is in them.
      for (const { id, position_x } of one.elements)
        add({ type: 'element.update', id, fields: { position_x: position_x + 7, config: { timed: true } } });
      // Half of them go, in the order of the tree or from its end, and come back.
      const going = childrenOf(one.elements, null)
        .filter((_, index) => index % 2 === 0)
        .map(({ id }) => id);
      const from = inverses.length;
      for (const id of gen(fc.boolean) ? going : going.toReversed()) add({ type: 'element.remove', id });
      for (const inverse of inverses.slice(from).toReversed()) add(inverse);
      const together = applyCommands(room, commands);
      expect(together.room).toEqual(one);
      expect(together.inverses).toEqual(inverses);
      expect(applyCommands(together.room, inverses.toReversed()).room).toEqual(room);
    }),
    { numRuns: 40, seed: 21 },
  );
});

test('none of them is applied where one is about what is not there', () => {
  fc.assert(
    fc.property(arbitraryRoom(), (room) => {
      const known = room.elements.map(({ id }) => id);
      const missing = Math.max(0, ...known) + 1;
      const commands = [...known, missing].map(
        (id): RoomCommand => ({ type: 'element.update', id, fields: { name: 'x' } }),
      );
      expect(() => applyCommands(room, commands)).toThrow(`Element ${missing} doesn't exist.`);
    }),
    { numRuns: 10, seed: 2 },
  );
});

test('several that are removed with others in them, or added twice, are refused as they are one by one', () => {
  fc.assert(
    fc.property(
      arbitraryRoom().filter(({ elements }) => elements.some(({ parent_element_id }) => parent_element_id !== null)),
      (room) => {
        const child = room.elements.find(({ parent_element_id }) => parent_element_id !== null)!;
        const group = findElement(room.elements, child.parent_element_id!)!;
        const remove = ({ id }: { id: number }): RoomCommand => ({ type: 'element.remove', id });
        expect(() => applyCommands(room, [remove(group), remove(child)])).toThrow(`Element ${child.id} doesn't exist.`);
        expect(applyCommands(room, [remove(child), remove(group)]).room.elements).toHaveLength(
          room.elements.length - branchOf(room.elements, group.id).length,
        );
        const again: RoomCommand = { type: 'element.add', elements: [{ ...child, id: 9999 }], parent: null };
        expect(() => applyCommands(room, [again, again])).toThrow('Element 9999 already exists.');
      },
    ),
    { numRuns: 10, seed: 3 },
  );
});

test('a scene that takes over many edits together is as after each of them', () => {
  fc.assert(
    fc.property(arbitraryRoom(), (room) => {
      const [one, other] = [createEditableScene(room), createEditableScene(room)];
      const updates = room.elements.map(
        ({ id, hidden }): RoomCommand => ({
          type: 'element.update',
          id,
          fields: { position_y: id * 3, rotation_y: 0.5, hidden: id % 3 === 0 ? !hidden : hidden },
        }),
      );
      const removes = childrenOf(room.elements, null)
        .slice(1)
        .map(({ id }): RoomCommand => ({ type: 'element.remove', id }));
      const back = applyCommands(room, [...updates, ...removes])
        .inverses.slice(updates.length)
        .toReversed();
      const commands = [...updates, ...removes, ...back];
      for (const command of commands) one.patch(command);
      other.patchMany(commands);
      const camera = {
        position: { x: 0, y: 0, z: 0 },
        quaternion: { x: 0, y: 0, z: 0, w: 1 },
        fov: 50,
        aspect: 1,
        near: 1,
        far: 5000,
      };
      for (const scene of [one, other]) scene.tick({ time: 0, camera, input: [] });
      expect(other.state()).toEqual(one.state());
      // What is added together is told in the order of the room.
      const sorted = (events: readonly unknown[]) => events.map((event) => JSON.stringify(event)).toSorted();
      expect(sorted(other.events)).toEqual(sorted(one.events));
    }),
    { numRuns: 30, seed: 4 },
  );
});
