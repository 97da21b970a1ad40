import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyCommand, Draft } from '../../../engine/document/commands.ts';
import { differingElements } from '../../../engine/document/differing-elements.ts';
import { parseRoom } from '../../../engine/document/room.ts';
import { byId } from '../../../engine/document/tree.ts';
import { arbitraryCommand, arbitraryRoom } from '../../harness/arbitrary-room.ts';

describe('the elements in which a tree differs from what it was', () => {
  test('are those that any edits touched', () => {
    fc.assert(
      fc.property(arbitraryRoom(), fc.gen(), (before, gen) => {
        let after = before;
        for (let edits = 0; edits < 6; edits++) after = applyCommand(after, gen(arbitraryCommand, after)).room;
        const { had, has } = differingElements(before.elements, after.elements);
        const [was, is] = [byId(before.elements), byId(after.elements)];
        for (const [id, element] of was) if (is.get(id) !== element) expect(had.get(id)).toBe(element);
        for (const [id, element] of is) if (was.get(id) !== element) expect(has.get(id)).toBe(element);
        for (const [id, element] of had) expect([was.get(id), has.has(id)]).toEqual([element, is.has(id)]);
        for (const [id, element] of has) expect([is.get(id), had.has(id)]).toEqual([element, was.has(id)]);
      }),
      { endOnFailure: true, numRuns: 200 },
    );
  });

  test('are the same in a draft that knows its edits, in the order of the tree', () => {
    fc.assert(
      fc.property(arbitraryRoom(), fc.gen(), (before, gen) => {
        const draft = new Draft(before);
        let after = before;
        for (let edits = 0; edits < 6; edits++) {
          draft.apply(gen(arbitraryCommand, after));
          after = draft.room;
        }
        const { had, has } = draft.differing(after);
        const found = differingElements(before.elements, after.elements);
        expect([[...had], [...has]]).toEqual([[...found.had], [...found.has]]);
        for (const [id, element] of has) expect(element).toBe(found.has.get(id));
      }),
      { endOnFailure: true, numRuns: 200 },
    );
  });

  test('are not looked for in what both share', () => {
    const { elements } = parseRoom({
      id: 1,
      title: 'Hall',
      elements: Array.from({ length: 50 }, (_, index) => ({ id: index + 1, element: 'group' })),
    });
    const room = { ...parseRoom({ id: 1, title: 'Hall' }), elements };
    const { room: after } = applyCommand(room, { type: 'element.update', id: 20, fields: { name: 'Wall' } });
    const { had, has } = differingElements(room.elements, after.elements);
    expect([[...had.keys()], [...has.keys()]]).toEqual([[20], [20]]);
  });
});
