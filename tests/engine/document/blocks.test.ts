import { describe, expect, test } from 'vitest';
import {
  asPlace,
  blockOf,
  DETACHED,
  hasSameContent,
  isPlace,
  matchPlace,
  newPlace,
  numbersFor,
  placesOf,
  updatedPlace,
  withPlaces,
} from '../../../engine/document/blocks.ts';
import { applyCommand, applyCommands } from '../../../engine/document/commands.ts';
import { commandsBetween } from '../../../engine/document/commands-between.ts';
import type { Element } from '../../../engine/document/element.ts';
import { remapElement } from '../../../engine/document/remap.ts';
import { nestedRoom, parseRoom, type Room } from '../../../engine/document/room.ts';
import { withKeys } from '../../../engine/document/sibling-keys.ts';
import { branchOf, findElement } from '../../../engine/document/tree.ts';

const to = (view_point_id: number) => ({ type: 'view_point', type_config: { view_point_id } });
const roomOf = (...elements: object[]) => parseRoom({ id: 1, title: 'Hall', elements });
const hall = roomOf(
  {
    id: 10,
    element: 'group',
    name: 'Desk',
    position_x: 300,
    config: { slider_enabled: true },
    children: [
      { id: 11, element: 'view_point', name: 'Seat' },
      { id: 12, element: 'button', name: 'Sit', config: { navigation: to(11) }, visible_at: [11] },
      { id: 13, element: 'group', children: [{ id: 14, element: 'image', position_y: 5, file_id: 7 }] },
    ],
  },
  { id: 20, element: 'view_point', name: 'Door' },
);
const desk = branchOf(hall.elements, 10);
const first = { id: 5, version: 1, elements: blockOf(desk).elements };
const placed = (ids: number[], block = first) => newPlace(block, 'Desk', ids);
const withElements = (room: Room, elements: readonly Element[]) => ({ ...room, elements: withKeys(elements) });
/** The block with a change of its content. */
const changed = (change: (branch: Element[]) => Element[], version = 2) => {
  const branch = change(structuredClone(desk));
  const saved = applyCommand(hall, asPlace(desk, first)).room;
  const known = numbersFor(branchOf(saved.elements, 10), 5, first.elements);
  return { id: 5, version, elements: blockOf(branch, known, first.elements.length).elements };
};
const update = (room: Room, id: number, block: typeof first, base = first, ids = [901, 902, 903]) => {
  const branch = branchOf(room.elements, id);
  const match = matchPlace(branch, base.elements, block);
  const after = updatedPlace(branch, match, block, ids);
  return withElements(room, withPlaces(room.elements, [{ branch, after }]));
};

describe('the content of a block', () => {
  test('has numbers of its own, links among its elements, and no position in a room', () => {
    const [group, seat, sit, inner, image] = first.elements;
    expect(first.elements.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
    expect(group).toMatchObject({ name: '', position_x: 0, parent_element_id: null, config: { slider_enabled: true } });
    expect(sit).toMatchObject({ config: { navigation: to(2) }, visible_at: [2], parent_element_id: 1 });
    expect([seat!.name, inner!.parent_element_id, image!.parent_element_id]).toEqual(['Seat', 1, 4]);
  });

  test('lacks links to elements outside it, and names their elements', () => {
    const links = [
      { id: 11, element: 'button', name: 'Leave', config: { navigation: to(20) } },
      { id: 12, element: 'light', name: 'Lamp', config: { target: { type: 'Element', element_id: 20 } } },
      { id: 13, element: 'text', name: 'Sign', visible_at: [20] },
      { id: 14, element: 'text', name: 'Plain' },
    ];
    const room = roomOf({ id: 10, element: 'group', children: links }, { id: 20, element: 'view_point' });
    const { elements, dropped } = blockOf(branchOf(room.elements, 10));
    expect(dropped).toEqual(['Leave', 'Lamp', 'Sign']);
    expect(elements[1]).toMatchObject({ config: { navigation: to(null as never) } });
    expect(elements[2]).toMatchObject({ config: { target: { element_id: null } } });
    // Limited to nothing, it would never be visible.
    expect(elements[3]!.visible_at).toEqual([]);
  });

  test('never contains a block: a place inside it, even of the same block, becomes a group', () => {
    const inner = { id: 11, element: 'group', config: { block_id: 5, block_version: 1, block_elements: [] } };
    const own = { block_id: 5, block_version: 1, block_elements: [11] };
    const room = roomOf({ id: 10, element: 'group', config: own, children: [inner] });
    const { elements } = blockOf(branchOf(room.elements, 10));
    expect(elements.some(isPlace)).toBe(false);
    expect(JSON.stringify(elements)).not.toMatch(/"block_\w+":[^n]/);
  });

  test('is a group of at most 500 elements', () => {
    const many = (count: number) =>
      roomOf({
        id: 1,
        element: 'group',
        children: Array.from({ length: count }, (_, at) => ({ id: at + 2, element: 'text' })),
      });
    expect(blockOf(many(499).elements).elements).toHaveLength(500);
    expect(() => blockOf(many(500).elements)).toThrow('at most 500');
    expect(() => blockOf(branchOf(hall.elements, 20))).toThrow('made of a group');
  });
});

describe('a place of a block', () => {
  test('is a group whose links point to its own copies', () => {
    const place = placed([30, 31, 32, 33, 34]);
    expect(place[0]).toMatchObject({ id: 30, name: 'Desk', config: { block_id: 5, block_version: 1 } });
    expect(place[2]).toMatchObject({ id: 32, parent_element_id: 30, config: { navigation: to(31) }, visible_at: [31] });
    expect(hasSameContent(place, first.elements)).toBe(true);
    const room = withElements(hall, [...hall.elements, ...place]);
    expect(parseRoom(nestedRoom(room)).elements).toHaveLength(11);
  });

  test('differs from its block only by its content', () => {
    const place = placed([30, 31, 32, 33, 34]);
    const edit = (at: number, fields: object) => place.map((each, n) => (n === at ? { ...each, ...fields } : each));
    expect(hasSameContent(edit(0, { position_x: 9, name: 'Other', hidden: true }) as Element[], first.elements)).toBe(
      true,
    );
    expect(hasSameContent(edit(1, { position_x: 9 }) as Element[], first.elements)).toBe(false);
    expect(hasSameContent(place.slice(0, -1), first.elements)).toBe(false);
    // Data from the media library isn't part of it.
    const file = { id: 7, name: 'a.png', type: 'image', url: '/media/a.png' };
    const config = { ...place[4]!.config, file_url: '/media/a.png' };
    expect(hasSameContent(edit(4, { file, config }) as Element[], first.elements)).toBe(true);
  });

  test('keeps the ids of elements that stay, and its own position, name and visibility', () => {
    const next = changed((branch) => [
      branch[0]!,
      { ...branch[2]!, name: 'Sit down' } as Element,
      branch[1]!,
      { ...branch[1]!, id: 99, name: 'Window', visible_at: [] },
    ]);
    const place = placed([30, 31, 32, 33, 34]);
    const moved = { ...place[0]!, position_x: 77, rotation_y: 1, scale_x: 2, name: 'Mine', hidden: true };
    const before = withElements(hall, [...hall.elements, moved, ...place.slice(1)]);
    const after = update(before, 30, next);
    const now = branchOf(after.elements, 30);
    expect(now[0]).toMatchObject({ id: 30, position_x: 77, rotation_y: 1, scale_x: 2, name: 'Mine', hidden: true });
    expect(now.map(({ id, name }) => [id, name])).toEqual([
      [30, 'Mine'],
      [32, 'Sit down'],
      [31, 'Seat'],
      [901, 'Window'],
    ]);
    expect(findElement(after.elements, 32)!.config).toMatchObject({ navigation: to(31) });
    expect(hasSameContent(now, next.elements)).toBe(true);
    const commands = commandsBetween(before, after);
    const { room, inverses } = applyCommands(before, commands);
    expect(room).toEqual(after);
    expect(applyCommands(room, inverses.toReversed()).room).toEqual(before);
  });

  test('gets new elements if its version is unknown or an element has another type now', () => {
    const next = changed((branch) => branch.slice(0, 3));
    const place = placed([30, 31, 32, 33, 34]);
    const before = withElements(hall, [...hall.elements, ...place]);
    const match = matchPlace(place, undefined, next);
    expect([match.kept.size, match.missing]).toEqual([1, [2, 3]]);
    const other = {
      ...next,
      elements: blockOf(roomOf({ id: 1, element: 'group', children: [{ id: 2, element: 'text' }] }).elements).elements,
    };
    expect(branchOf(update(before, 30, other).elements, 30).map(({ id }) => id)).toEqual([30, 901]);
  });

  test('keeps links to elements outside it, which a block lacks, through updates', () => {
    const children = [
      { id: 2, element: 'view_point', name: 'Seat' },
      { id: 3, element: 'button', name: 'Leave', config: { navigation: to(null as never) } },
      { id: 4, element: 'light', config: { target: { type: 'Element', element_id: null } } },
      { id: 5, element: 'text', name: 'Sign' },
      { id: 6, element: 'image', config: { plan_marks: [{ view_point_id: 2, x: 0, y: 0 }] } },
      { id: 7, element: 'text', visible_at: [2] },
      { id: 8, element: 'button', config: { navigation: to(2) } },
    ];
    const versionOf = (version: number, all: object[]) => ({
      ...{ id: 5, version },
      elements: blockOf(
        roomOf({ id: 1, element: 'group', children: all }).elements,
        new Map(children.map(({ id }) => [id, id])),
      ).elements,
    });
    const base = versionOf(1, children);
    const place = newPlace(base, 'Desk', [30, 31, 32, 33, 34, 35, 36, 37]);
    const door = { view_point_id: 20, x: 1, y: 1 };
    const toDoor = (config: object) =>
      JSON.parse(JSON.stringify(config), (name, value) => (/^(view_point|element)_id$/.test(name) ? 20 : value));
    const links: Record<number, object> = {
      32: { config: toDoor(place[2]!.config) },
      33: { config: toDoor(place[3]!.config) },
      34: { visible_at: [20] },
      35: { config: { ...place[5]!.config, plan_marks: [door, { view_point_id: 31, x: 0, y: 0 }] } },
      36: { visible_at: [31, 20] },
    };
    const linked = place.map((element) => ({ ...element, ...links[element.id] }) as Element);
    expect(hasSameContent(linked, base.elements)).toBe(true);
    const room = withElements(hall, [...hall.elements, ...linked]);

    const renamed = children.map((each) => ({ ...each, position_y: 5 }));
    const [, , leave, lamp, sign, plan, text, sit] = branchOf(
      update(room, 30, versionOf(2, renamed), base).elements,
      30,
    );
    expect(leave).toMatchObject({ position_y: 5, config: { navigation: to(20) } });
    expect(lamp!.config).toMatchObject({ target: { element_id: 20 } });
    expect([sign!.visible_at, text!.visible_at]).toEqual([[20], [31, 20]]);
    expect(plan!.config).toMatchObject({ plan_marks: [{ view_point_id: 31 }, door] });
    expect(sit!.config).toMatchObject({ navigation: to(31) });

    // The block's own links come first.
    const seat = { navigation: to(2), target: { type: 'Element', element_id: 2 }, plan_marks: [] };
    const rewired = children.map(({ visible_at: _, ...each }) => ({
      ...each,
      config: each.config && Object.fromEntries(Object.keys(each.config).map((name) => [name, seat[name as 'target']])),
    }));
    const [, , own, aimed, , bare, open] = branchOf(update(room, 30, versionOf(3, rewired), base).elements, 30);
    expect([own!.config, aimed!.config]).toMatchObject([{ navigation: to(31) }, { target: { element_id: 31 } }]);
    expect(bare!.config).toMatchObject({ plan_marks: [door] });
    expect(open!.visible_at).toEqual([]);
  });

  test('stays one when it is copied, and becomes a group when it is detached', () => {
    const place = placed([30, 31, 32, 33, 34]);
    const ids = new Map(place.map(({ id }) => [id, id + 100]));
    const [copy] = place.map((element) => remapElement(element, ids));
    expect(copy!.config).toMatchObject({ block_id: 5, block_elements: [131, 132, 133, 134] });
    const room = withElements(hall, [...hall.elements, ...place]);
    const edit = { type: 'element.update', id: 30, fields: { config: DETACHED } } as const;
    const { room: after, inverse } = applyCommand(room, edit);
    expect(placesOf(after.elements, 5)).toEqual([]);
    expect(placesOf(applyCommand(after, inverse).room.elements, 5)).toHaveLength(1);
  });

  test('becomes a group again when saving it as a block is undone, after a reload too', () => {
    const { room, inverse } = applyCommand(hall, asPlace(desk, first));
    expect(placesOf(room.elements, 5)).toHaveLength(1);
    const undone = applyCommand(room, JSON.parse(JSON.stringify(inverse))).room;
    expect(placesOf(undone.elements, 5)).toEqual([]);
    // An older document without these settings replaces the room.
    const { room: older } = applyCommands(room, commandsBetween(room, hall));
    expect(placesOf(older.elements, 5)).toEqual([]);
  });
});
