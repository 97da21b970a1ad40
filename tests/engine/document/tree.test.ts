import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRoom } from '../../../engine/document/room.ts';
import * as tree from '../../../engine/document/tree.ts';
import { arbitraryRoom } from '../../harness/arbitrary-room.ts';

const node = (id: number, ...children: object[]) => ({ id, element: 'group', children });

/** 1 (2 (3, 4), 5), 6 */
const { elements } = parseRoom({
  id: 1,
  title: 'Tree',
  elements: [node(1, node(2, node(3), node(4)), node(5)), node(6)],
});

const ids = (list: Iterable<{ id: number }>) => [...list].map(({ id }) => id);

describe('the elements of a room', () => {
  test('stand in one list, parents before their children, in order', () => {
    expect(ids(elements)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(elements.map(({ parent_element_id }) => parent_element_id)).toEqual([null, 1, 2, 2, 1, null]);
  });

  test('are found by their ids', () => {
    expect(tree.findElement(elements, 4)!.id).toBe(4);
    expect(tree.findElement(elements, 9)).toBeUndefined();
  });

  test('are listed below a parent; null is the top', () => {
    expect(ids(tree.childrenOf(elements, null))).toEqual([1, 6]);
    expect(ids(tree.childrenOf(elements, 2))).toEqual([3, 4]);
    expect(tree.childrenOf(elements, 9)).toEqual([]);
  });

  test('are listed with everything below one', () => {
    expect(ids(tree.branchOf(elements, 2))).toEqual([2, 3, 4]);
    expect(ids(tree.branchOf(elements, 6))).toEqual([6]);
    expect(tree.branchOf(elements, 9)).toEqual([]);
  });

  test('have ancestors, nearest first', () => {
    expect(ids(tree.ancestorsOf(elements, 4))).toEqual([2, 1]);
    expect(tree.ancestorsOf(elements, 1)).toEqual([]);
    expect(tree.ancestorsOf(elements, 9)).toEqual([]);
  });

  test('are held by groups', () => {
    expect(tree.ancestorIdsOf(elements, new Set([4, 6]))).toEqual(new Set([1, 2]));
    expect(tree.ancestorIdsOf(elements, new Set([1, 9]))).toEqual(new Set());
  });

  test('stand behind a sibling, or at the first place', () => {
    expect(tree.spotOf(elements, 4)).toEqual({ parent: 2, after: 3 });
    expect(tree.spotOf(elements, 2)).toEqual({ parent: 1, after: null });
    expect(tree.spotOf(elements, 6)).toEqual({ parent: null, after: 1 });
    expect(tree.spotOf(elements, 9)).toBeUndefined();
  });

  test('are taken without those that stand in others', () => {
    expect(ids(tree.topmost(elements, new Set([4, 2, 5, 6])))).toEqual([2, 5, 6]);
  });

  test('are shown without what is hidden, and what is in it', () => {
    const hidden = elements.map((element) => (element.id === 2 ? { ...element, hidden: true } : element));
    expect(ids(tree.shownElements(hidden))).toEqual([1, 5, 6]);
  });

  test('are the same after nesting and flattening, in any room', () => {
    fc.assert(
      fc.property(arbitraryRoom({ maxElements: 12 }), (room) => {
        expect(tree.flatten(tree.nest(room.elements))).toEqual(room.elements);
      }),
      { numRuns: 200, seed: 2 },
    );
  });
});
