import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkCommand } from '../../../engine/document/check-command.ts';
import { applyCommand, Draft, type RoomCommand } from '../../../engine/document/commands.ts';
import { nestedRoom, parseRoom, type Room } from '../../../engine/document/room.ts';
import { treeViolations } from '../../../engine/document/sibling-keys.ts';
import { findElement } from '../../../engine/document/tree.ts';
import { arbitraryCommand, arbitraryRoom } from '../../harness/arbitrary-room.ts';

const node = (id: number, ...children: object[]) => ({ id, element: 'group', children });
const room = parseRoom({
  id: 1,
  title: 'Hall',
  elements: [node(1, node(2)), node(3, node(4)), { id: 5, element: 'image', start_time: '10:00', end_time: '11:00' }],
});
const image = findElement(room.elements, 5)!;
const fresh = (id: number, ...children: object[]) =>
  parseRoom({ id: 1, title: 'New', elements: [node(id, ...children)] }).elements;
const checked = (of: Room, command: RoomCommand) => checkCommand(new Draft(of), command);

/** A command as it comes from outside: any data. */
const raw = (command: object) => command as RoomCommand;
const update = (id: number, fields: object) => raw({ type: 'element.update', id, fields });

/** A room and commands that follow each other. */
const edited = arbitraryRoom().chain((start) => fc.tuple(fc.constant(start), arbitraryCommand(start)));

describe('applying and taking back', () => {
  test('any command followed by its inverse gives the room as it was, and the inverse of that the edit', () => {
    fc.assert(
      fc.property(edited, ([before, command]) => {
        const copy = structuredClone(before);
        const { room: after, inverse } = applyCommand(before, command);
        expect(before).toEqual(copy);
        const undone = applyCommand(after, inverse);
        expect(undone.room).toEqual(before);
        expect(applyCommand(undone.room, undone.inverse).room).toEqual(after);
        expect(treeViolations(after.elements)).toEqual([]);
      }),
      { numRuns: 1500, seed: 3 },
    );
  });

  test('a room after any command is one that reading leaves as it is', () => {
    fc.assert(
      fc.property(edited, ([before, command]) => {
        const after = applyCommand(before, command).room;
        expect(parseRoom(nestedRoom(after))).toEqual(after);
      }),
      { numRuns: 1500, seed: 4 },
    );
  });

  test('commands survive JSON', () => {
    fc.assert(
      fc.property(edited, ([before, command]) => {
        expect(applyCommand(before, JSON.parse(JSON.stringify(command)))).toEqual(applyCommand(before, command));
      }),
      { numRuns: 300, seed: 5 },
    );
  });
});

describe('what a command changes', () => {
  test('parts that it does not touch are shared', () => {
    const after = applyCommand(room, { type: 'element.update', id: 2, fields: { name: 'Named' } }).room;
    expect(findElement(after.elements, 2)!.name).toBe('Named');
    for (const [place, element] of room.elements.entries())
      if (element.id !== 2) expect(after.elements[place]).toBe(element);
    expect(after.config).toBe(room.config);
    expect(applyCommand(room, { type: 'room.update', fields: { title: 'New' } }).room.elements).toBe(room.elements);
  });

  test('config is merged, one level deep', () => {
    const after = applyCommand(room, { type: 'room.update', fields: { config: { duration: 60 } } }).room;
    expect(after.config).toEqual({ ...room.config, duration: 60 });
  });

  test('a window follows its times, goes with them, and comes back with them', () => {
    const visible = (of: Room) => findElement(of.elements, 5)!.visible_between;
    const later = applyCommand(room, update(5, { start_time: '10:30' })).room;
    expect(visible(later)).toEqual({ from: 37_800, till: 39_600 });
    const { room: always, inverse } = applyCommand(room, update(5, { start_time: null, end_time: null }));
    expect(visible(always)).toBeNull();
    expect(visible(applyCommand(always, inverse).room)).toEqual(image.visible_between);
    const own = { from: 1, till: 2 };
    const given = applyCommand(room, update(5, { start_time: null, end_time: null, visible_between: own })).room;
    expect(visible(given)).toEqual(own);
  });

  test.each<[string, RoomCommand]>([
    ["Element 9 doesn't exist.", { type: 'element.remove', id: 9 }],
    ["Element 9 doesn't exist.", { type: 'element.update', id: 9, fields: {} }],
    ["Element 9 doesn't exist.", { type: 'element.move', id: 9, parent: null }],
    ["Element 9 doesn't exist.", { type: 'element.move', id: 1, parent: 9 }],
    ["Element 9 doesn't exist.", { type: 'element.add', elements: fresh(7), parent: 9 }],
    ["Element 1 can't be moved into itself.", { type: 'element.move', id: 1, parent: 2 }],
    ['Element 4 already exists.', { type: 'element.add', elements: fresh(4), parent: null }],
    ['Element 4 already exists.', { type: 'element.add', elements: fresh(7, node(4)), parent: null }],
  ])('%s', (message, command) => {
    expect(() => applyCommand(room, command)).toThrow(RangeError);
    expect(() => applyCommand(room, command)).toThrow(message);
  });
});

describe('commands from outside', () => {
  test('a good one of any kind passes unchanged', () => {
    fc.assert(
      fc.property(edited, ([before, command]) => {
        expect(checked(before, command)).toEqual(command);
      }),
      { numRuns: 500, seed: 6 },
    );
  });

  test.each<[string, object]>([
    ['width', { type: 'room.update', fields: { width: -1 } }],
    ['title', { type: 'room.update', fields: { title: '' } }],
    ['camera', { type: 'room.update', fields: { config: { camera: { fov: 0 } } } }],
    ['duration', { type: 'room.update', fields: { config: { duration: Number.NaN } } }],
    ['scale_x', { type: 'element.update', id: 5, fields: { scale_x: 1e9 } }],
    ['title_color', { type: 'element.update', id: 5, fields: { config: { title_color: 'red' } } }],
    ['file_url', { type: 'element.update', id: 5, fields: { config: { file_url: 'javascript:0' } } }],
    ['element', { type: 'element.add', element: { id: 9, element: 'picture' }, parent: null }],
    ['id', { type: 'element.add', element: { id: 0, element: 'image' }, parent: null }],
    ['index', { type: 'element.add', element: { id: 9, element: 'image' }, parent: null, index: -1 }],
    ['index', { type: 'element.move', id: 1, parent: null, index: Number.NaN }],
    ['parent', { type: 'element.move', id: 1, parent: 'top', index: 0 }],
  ])('%s out of bounds is refused', (name, command) => {
    expect(() => checked(room, raw(command))).toThrow(
      expect.objectContaining({ name: 'ZodError', message: expect.stringContaining(name) }),
    );
  });

  test('unknown fields are dropped, of commands, rooms, elements and configs', () => {
    expect(
      checked(
        room,
        raw({
          type: 'room.update',
          extra: 1,
          fields: { title: ' New ', extra: 1, config: { animate: true, extra: 1 } },
        }),
      ),
    ).toEqual({
      type: 'room.update',
      fields: { title: 'New', config: { animate: true } },
    });
    expect(checked(room, update(5, { name: 'A', extra: 1, config: { title: 'B', extra: 1 } }))).toEqual(
      update(5, { name: 'A', config: { title: 'B' } }),
    );
    expect(checked(room, raw({ type: 'element.remove', id: 1, extra: 1 }))).toEqual({
      type: 'element.remove',
      id: 1,
    });
    const [element] = fresh(9);
    const add = { type: 'element.add', element: { ...element, extra: 1 }, parent: 1, after: 2 };
    const elements = [{ ...element, parent_element_id: 1 }];
    expect(checked(room, raw(add))).toEqual({ type: 'element.add', elements, parent: 1, after: 2 });
  });

  test('an update changes neither id, type, parent nor children', () => {
    const fields = { id: 99, element: 'light', parent_element_id: 3, children: [], name: 'A' };
    expect(checked(room, update(1, fields))).toEqual(update(1, { name: 'A' }));
    expect(checked(room, raw({ type: 'room.update', fields: { id: 2, version: 7, elements: [], name: 'A' } }))).toEqual(
      {
        type: 'room.update',
        fields: { name: 'A' },
      },
    );
  });

  test('__proto__ keys are dropped', () => {
    const fields = JSON.parse(
      '{"name":"A","__proto__":{"polluted":1},"config":{"__proto__":{"polluted":1},"title":"B"}}',
    );
    expect(checked(room, update(5, fields))).toStrictEqual(update(5, { name: 'A', config: { title: 'B' } }));
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test('an element that is added gets its parents and windows from its tree and times', () => {
    const element = { id: 9, element: 'group', children: [{ id: 10, element: 'image', start_time: '00:01' }] };
    expect(checked(room, raw({ type: 'element.add', element, parent: 1 }))).toMatchObject({
      elements: [{ parent_element_id: 1 }, { parent_element_id: 9, visible_between: { from: 60, till: 86_400 } }],
    });
  });

  const deep = (levels: number, id = 100): object => (levels === 0 ? node(id) : node(id, deep(levels - 1, id + 1)));
  const bottomless = JSON.parse(`${'{"id":9,"element":"group","children":['.repeat(100_000)}${']}'.repeat(100_000)}`);

  test.each<[string, string, object]>([
    ['added under a parent', 'nested deeper than 32', { type: 'element.add', element: deep(32), parent: 1, index: 0 }],
    [
      'added with 100,000 levels',
      'nested deeper than 32',
      { type: 'element.add', element: bottomless, parent: null, index: 0 },
    ],
    [
      'added with an id twice',
      'ID 9 is used twice',
      { type: 'element.add', element: node(9, node(9)), parent: null, index: 0 },
    ],
    ['updated', "Element 9 doesn't exist", { type: 'element.update', id: 9, fields: {} }],
    ['removed', "Element 9 doesn't exist", { type: 'element.remove', id: 9 }],
    ['moved', "Element 9 doesn't exist", { type: 'element.move', id: 9, parent: null }],
    ['moved to nowhere', "Element 9 doesn't exist", { type: 'element.move', id: 1, parent: 9 }],
    ['exploded', 'Unknown command type element.explode', { type: 'element.explode', id: 1 }],
  ])("refuses what can't be %s", (_, message, command) => {
    expect(() => checked(room, raw(command))).toThrow(message);
  });

  test('refuses a move that nests too deep, and an element too many', () => {
    const deepRoom = parseRoom({ id: 1, title: 'Deep', elements: [deep(32), node(1)] });
    const move = (parent: number): RoomCommand => ({ type: 'element.move', id: 1, parent });
    expect(checked(deepRoom, move(131))).toEqual(move(131));
    expect(() => checked(deepRoom, move(132))).toThrow('nested deeper than 32');
    const full = { ...room, elements: Array.from({ length: 20_000 }, (_, index) => fresh(index + 1)[0]!) };
    const add = { type: 'element.add', element: node(20_001), parent: null, index: 0 };
    expect(() => checked(full, raw(add))).toThrow('at most 20000 elements');
  });
});

test('what plays a room loads no schema library', () => {
  const seen = new Map<string, string[]>();
  const visit = (url: URL): void => {
    if (seen.has(url.href)) return;
    const imports = [
      ...readFileSync(url, 'utf8').matchAll(/^(?:import|export)\s+(?!type\b)[^;]*?from\s+'([^']+)'/gm),
    ].map((match) => match[1]!);
    seen.set(url.href, imports);
    for (const path of imports) if (path.startsWith('.')) visit(new URL(path, url));
  };
  for (const name of ['constants', 'tree', 'commands', 'window'])
    visit(new URL(`../../../engine/document/${name}.ts`, import.meta.url));
  expect([...seen.values()].flat().filter((path) => !path.startsWith('.'))).toEqual(['fractional-indexing']);
  expect(seen.size).toBe(7);
});
