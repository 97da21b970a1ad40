import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyCommand,
  applyCommands,
  Draft,
  liftCommand,
  type RoomCommand,
} from '../../../engine/document/commands.ts';
import { commandsBetween } from '../../../engine/document/commands-between.ts';
import { parseRoom } from '../../../engine/document/room.ts';
import { MAX_KEY, treeViolations, withKeys } from '../../../engine/document/sibling-keys.ts';
import { childrenOf, nest } from '../../../engine/document/tree.ts';
import { arbitraryCommand, arbitraryRoom } from '../../harness/arbitrary-room.ts';

const hall = (count: number) =>
  parseRoom({
    id: 1,
    title: 'Hall',
    elements: Array.from({ length: count }, (_, index) => ({ id: index + 1, element: 'group' })),
  });
const [made] = hall(1).elements;
const idsOf = (elements: readonly { id: number }[]) => elements.map(({ id }) => id);

describe('the rules of a document', () => {
  test('hold after any edits, in any room', () => {
    fc.assert(
      fc.property(arbitraryRoom({ maxElements: 10 }), fc.gen(), (room, gen) => {
        let now = room;
        for (let edits = 0; edits < 10; edits++) now = applyCommand(now, gen(arbitraryCommand, now)).room;
        expect(treeViolations(now.elements)).toEqual([]);
      }),
      { numRuns: 200, seed: 31 },
    );
  });

  test('name an id that is used twice, a parent that is gone, a circle, and a key of a sibling', () => {
    const [one, two] = hall(2).elements;
    expect(treeViolations([one!, one!])).toContain('ID 1 is used twice.');
    expect(treeViolations([{ ...one!, parent_element_id: 9 }])).toEqual(["The parent of element 1, 9, doesn't exist."]);
    const circle = [
      { ...one!, parent_element_id: 2 },
      { ...two!, parent_element_id: 1 },
    ];
    expect(treeViolations(circle)).toEqual(['Element 1 is its own ancestor.', 'Element 2 is its own ancestor.']);
    expect(treeViolations([one!, { ...two!, index: one!.index }])).toEqual([
      `Element 2 has the same index as a sibling: ${one!.index}.`,
    ]);
  });
});

describe('keys of siblings', () => {
  test.each<[string, (count: number) => { after?: number | null }]>([
    ['at the first place', () => ({ after: null })],
    ['behind the first element', () => ({ after: 1 })],
    ['in front of the last one', (count) => ({ after: count })],
    ['at the last place', () => ({})],
  ])('stay short over 10,000 insertions %s', (_, placeOf) => {
    const draft = new Draft(hall(2));
    let longest = 0;
    for (let id = 3; id < 10_003; id++) {
      const place = placeOf(id === 3 ? 1 : id - 1);
      draft.apply({ type: 'element.add', elements: [{ ...made!, id }], parent: null, ...place });
      for (const shortened of draft.shortened(id)) draft.apply(shortened);
      longest = Math.max(longest, draft.get(id)!.index.length);
    }
    expect(longest).toBeLessThanOrEqual(MAX_KEY);
    const { elements } = draft.room;
    expect(treeViolations(elements)).toEqual([]);
    expect(Math.max(...elements.map(({ index }) => index.length))).toBeLessThanOrEqual(MAX_KEY);
    expect(idsOf(elements).indexOf(1) < idsOf(elements).indexOf(2)).toBe(true);
  });

  test('that two programs chose alike are told apart: what comes later stands behind', () => {
    const room = hall(2);
    const add = (id: number): RoomCommand => ({
      type: 'element.add',
      elements: [{ ...made!, id }],
      parent: null,
      after: 1,
    });
    const [one, other] = [applyCommand(room, add(3)).room, applyCommand(room, add(4)).room];
    const keyIn = (of: typeof room, id: number) => of.elements.find((element) => element.id === id)!.index;
    expect(keyIn(one, 3)).toBe(keyIn(other, 4));
    const both = applyCommands(room, [add(3), add(4)]).room;
    expect(idsOf(both.elements)).toEqual([1, 4, 3, 2]);
    expect(treeViolations(both.elements)).toEqual([]);
  });

  test('follow any order, and stay where the order does', () => {
    const { elements } = hall(20);
    fc.assert(
      fc.property(fc.shuffledSubarray(elements, { minLength: 1 }), (order) => {
        const known = new Map(elements.map((element) => [element.id, element]));
        const keyed = withKeys(order, known);
        expect(idsOf(keyed)).toEqual(idsOf(order));
        expect(treeViolations(keyed)).toEqual([]);
        for (const [at, { index }] of keyed.entries()) if (at > 0) expect(index > keyed[at - 1]!.index).toBe(true);
      }),
      { numRuns: 300, seed: 5 },
    );
    expect(withKeys(elements).every((element, at) => element === elements[at])).toBe(true);
  });

  test('that are none, or are too long, give way to others', () => {
    const [one, two, three] = hall(3).elements;
    for (const index of ['x', 'a00', '0', 'zz', `a0${'V'.repeat(70)}`]) {
      const keyed = withKeys([one!, { ...two!, index }, three!]);
      expect(keyed[0]).toBe(one);
      expect(keyed[2]).toBe(three);
      expect(treeViolations(keyed)).toEqual([]);
      const draft = new Draft({ ...hall(0), elements: keyed });
      for (const after of [1, 2])
        draft.apply({ type: 'element.add', elements: [{ ...made!, id: after + 10 }], parent: null, after });
      expect(draft.below(null)).toEqual([1, 11, 2, 12, 3]);
    }
  });

  test.each([
    ['first', 0, 19],
    ['last', 19, 0],
    ['third', 2, 11],
    ['twelfth', 11, 2],
  ])('change for the %s element alone when it moves alone', (_, from, to) => {
    const room = hall(20);
    const elements = room.elements.toSpliced(from, 1).toSpliced(to, 0, room.elements[from]!);
    const commands = commandsBetween(room, { ...room, elements });
    expect(commands).toMatchObject([{ type: 'element.move', id: from + 1 }]);
    expect(idsOf(applyCommands(room, commands).room.elements)).toEqual(idsOf(elements));
  });
});

describe('edits in the form of version 0.15', () => {
  test('lead to the order that they led to: places counted from 0, and trees of elements', () => {
    fc.assert(
      fc.property(
        arbitraryRoom({ maxElements: 8 }),
        fc.nat(),
        fc.nat(20),
        fc.boolean(),
        (room, pick, index, isAdded) => {
          const draft = new Draft(room);
          const below = (parent: number | null) => draft.below(parent);
          const parents = [null, ...idsOf(room.elements)];
          const parent = parents[pick % parents.length]!;
          const id = 9_999_999;
          const element = nest([
            { ...made!, id },
            { ...made!, id: id + 1, parent_element_id: id },
          ])[0]!;
          const moved = room.elements.find((each) => parent === null || !draft.isIn(parent, each.id));
          if (!isAdded && !moved) return;
          const older = isAdded
            ? { type: 'element.add' as const, element, parent, index }
            : { type: 'element.move' as const, id: moved!.id, parent, index };
          const before = idsOf(childrenOf(room.elements, parent)).filter((each) => isAdded || each !== moved!.id);
          const command = liftCommand(below, older);
          draft.apply(command);
          expect(draft.below(parent)).toEqual(before.toSpliced(index, 0, isAdded ? id : moved!.id));
          if (isAdded) expect(draft.below(id)).toEqual([id + 1]);
          expect(liftCommand(below, command)).toEqual(command);
          expect(treeViolations(draft.room.elements)).toEqual([]);
        },
      ),
      { numRuns: 300, seed: 8 },
    );
  });
});
