import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RoomCommand } from '../../engine/document/commands.ts';
import { applyCommand } from '../../engine/document/commands.ts';
import { commandsBetween } from '../../engine/document/commands-between.ts';
import { parseRoom } from '../../engine/document/room.ts';
import { findElement } from '../../engine/document/tree.ts';
import { DocumentStore } from '../../src/editor/session/document-store.ts';
import { SelectionStore } from '../../src/editor/session/selection-store.ts';
import { arbitraryCommand, arbitraryRoom } from '../harness/arbitrary-room.ts';

const hall = parseRoom({
  id: 1,
  title: 'Hall',
  elements: [
    { id: 1, element: 'group', name: 'Wall', children: [{ id: 2, element: 'image', name: 'Picture' }] },
    { id: 3, element: 'light', hidden: true },
  ],
});

const named = (id: number, name: string): RoomCommand => ({ type: 'element.update', id, fields: { name } });

function open(room = hall) {
  let time = 0;
  const document = new DocumentStore(room, { now: () => time });
  const told: RoomCommand[] = [];
  document.onCommand((command) => told.push(command));
  return { document, told, pass: (milliseconds: number) => (time += milliseconds) };
}

describe('undo and redo', () => {
  test('200 random edits undone give the identical room, redone the edited one again', () => {
    fc.assert(
      fc.property(arbitraryRoom(), fc.gen(), (room, gen) => {
        const { document } = open(room);
        for (let count = 0; count < 200; count++)
          document.run(
            gen(() => arbitraryCommand(document.room)),
            { label: `Edit ${count}` },
          );
        const edited = document.room;
        expect(document.steps).toHaveLength(200);
        while (document.canUndo) document.undo();
        expect(document.room).toEqual(room);
        while (document.canRedo) document.redo();
        expect(document.room).toEqual(edited);
      }),
      { numRuns: 12, seed: 11 },
    );
  });

  test('listeners that apply every command have the same room', () => {
    fc.assert(
      fc.property(arbitraryRoom(), fc.gen(), (room, gen) => {
        const { document } = open(room);
        let copy = room;
        document.onCommand((command) => {
          copy = applyCommand(copy, command).room;
        });
        for (let count = 0; count < 30; count++) {
          const turn = gen(() => fc.nat(5));
          if (turn === 0) document.undo();
          else if (turn === 1) document.redo();
          else
            document.run(
              gen(() => arbitraryCommand(document.room)),
              { label: 'Edit' },
            );
        }
        expect(copy).toEqual(document.room);
      }),
      { numRuns: 60, seed: 12 },
    );
  });

  test('a new edit takes the place of what was undone', () => {
    const { document } = open();
    document.run(named(1, 'A'), { label: 'A' });
    document.run(named(1, 'B'), { label: 'B' });
    document.undo();
    document.run(named(1, 'C'), { label: 'C' });
    expect(document.steps.map(({ label }) => label)).toEqual(['A', 'C']);
    expect(document.canRedo).toBe(false);
  });

  test('one goes to any step of the history', () => {
    const { document } = open();
    for (const name of ['A', 'B', 'C']) document.run(named(1, name), { label: name });
    const [first] = document.steps;
    document.goTo(first!.id);
    expect(findElement(document.room.elements, 1)!.name).toBe('A');
    expect(document.steps.map(({ isUndone }) => isUndone)).toEqual([false, true, true]);
    document.goTo(document.steps[2]!.id);
    expect(findElement(document.room.elements, 1)!.name).toBe('C');
    document.goTo(null);
    expect(document.room).toEqual(hall);
  });

  test('steps with one key become one within a second, and are undone at once', () => {
    const { document, pass } = open();
    const move = (x: number) =>
      document.run({ type: 'element.update', id: 2, fields: { position_x: x } }, { label: 'Move', merge: 'move 2' });
    for (const x of [1, 2, 3]) {
      move(x);
      pass(900);
    }
    expect(document.steps).toHaveLength(1);
    pass(200);
    move(4);
    expect(document.steps).toHaveLength(2);
    document.undo();
    expect(findElement(document.room.elements, 2)!.position_x).toBe(3);
    document.undo();
    expect(document.room).toEqual(hall);
  });

  test('of commands that do not all fit none is applied', () => {
    const { document, told } = open();
    expect(() => document.run([named(1, 'A'), named(99, 'B')], { label: 'Both' })).toThrow(RangeError);
    expect(document.room).toBe(hall);
    expect(told).toEqual([]);
    expect(document.steps).toEqual([]);
  });

  test('what others removed is left out when a step is undone', () => {
    const { document } = open();
    document.run([named(1, 'A'), named(3, 'Lamp')], { label: 'Both' });
    const theirs: RoomCommand[] = [{ type: 'element.remove', id: 3 }];
    document.replace(applyCommand(document.room, theirs[0]!).room, [{ who: 'Berta', commands: theirs }]);
    document.undo();
    expect(findElement(document.room.elements, 1)!.name).toBe('Wall');
    expect(document.canUndo).toBe(false);
  });
});

describe('the difference of two rooms', () => {
  test('makes the one out of the other, whatever they are', () => {
    const pair = fc
      .tuple(arbitraryRoom(), arbitraryRoom())
      .map(([from, to]) => [from, { ...to, id: from.id }] as const);
    fc.assert(
      fc.property(pair, ([from, to]) => {
        const made = commandsBetween(from, to).reduce((room, command) => applyCommand(room, command).room, from);
        expect(made).toEqual(to);
      }),
      { numRuns: 600, seed: 13 },
    );
  });

  test('of a room and itself is nothing, of one edit only that', () => {
    fc.assert(
      fc.property(arbitraryRoom(), fc.gen(), (room, gen) => {
        expect(commandsBetween(room, structuredClone(room))).toEqual([]);
        const after = applyCommand(
          room,
          gen(() => arbitraryCommand(room)),
        ).room;
        const made = commandsBetween(room, after).reduce((before, command) => applyCommand(before, command).room, room);
        expect(made).toEqual(after);
      }),
      { numRuns: 400, seed: 14 },
    );
  });
});

describe('the selection', () => {
  test('takes only what is visible and editable, one at a time', () => {
    const { document } = open();
    const selection = new SelectionStore(document);
    selection.select(3);
    expect(selection.selectedId).toBeNull();
    selection.select(2);
    expect(selection.selectedId).toBe(2);
    selection.select(1);
    expect(selection.selectedId).toBe(1);
    selection.select(null);
    expect(selection.selectedId).toBeNull();
  });

  test('takes many, of which the last one is active; none of them is the only one', () => {
    const { document } = open();
    const selection = new SelectionStore(document);
    selection.select(2);
    selection.toggle(1);
    selection.toggle(3);
    expect([...selection.ids]).toEqual([2, 1]);
    expect(selection.activeId).toBe(1);
    expect(selection.selectedId).toBeNull();
    expect(
      selection.elements.map(({ id }) => id),
      'in the order of the tree',
    ).toEqual([1, 2]);
    selection.toggle(2);
    expect(selection.selectedId).toBe(1);
    selection.selectMany([3, 2, 99, 1]);
    expect([...selection.ids]).toEqual([2, 1]);
    document.run({ type: 'element.update', id: 2, fields: { editable: false } }, { label: 'Lock' });
    expect([...selection.ids]).toEqual([1]);
    selection.selectMany([2, 1]);
    document.run({ type: 'element.remove', id: 1 }, { label: 'Remove' });
    expect([...selection.ids]).toEqual([]);
  });

  test.each<[string, RoomCommand]>([
    ['hidden', { type: 'element.update', id: 1, fields: { hidden: true } }],
    ['removed', { type: 'element.remove', id: 1 }],
    ['put into what is hidden', { type: 'element.move', id: 2, parent: 3, after: null }],
  ])('lets go of what is %s with its group', (_, command) => {
    const { document } = open();
    const selection = new SelectionStore(document);
    selection.select(2);
    selection.hover(2);
    document.run(command, { label: 'Edit' });
    expect(selection.selectedId).toBeNull();
    expect(selection.hoveredId).toBeNull();
  });
});
