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

type Shape = [number, ...Shape[]];
const shape = (list: readonly (typeof elements)[number][]): Shape[] =>
  list.map(({ id, children }) => [id, ...shape(children)]);
const ids = (list: Iterable<{ id: number }>) => [...list].map(({ id }) => id);

describe('looking', () => {
  test('walks parents before children, in order', () => {
    expect(ids(tree.walk(elements))).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('finds an element at any depth', () => {
    expect(tree.findElement(elements, 4)!.id).toBe(4);
    expect(tree.findElement(elements, 9)).toBeUndefined();
  });

  test('lists children; null is the top', () => {
    expect(tree.childrenOf(elements, null)).toBe(elements);
    expect(ids(tree.childrenOf(elements, 2)!)).toEqual([3, 4]);
    expect(tree.childrenOf(elements, 9)).toBeUndefined();
  });

  test('lists ancestors, nearest first', () => {
    expect(ids(tree.ancestorsOf(elements, 4))).toEqual([2, 1]);
    expect(tree.ancestorsOf(elements, 1)).toEqual([]);
    expect(tree.ancestorsOf(elements, 9)).toEqual([]);
  });

  test('lists the groups that hold any of some', () => {
    expect(tree.holdersOf(elements, new Set([4, 6]))).toEqual(new Set([1, 2]));
    expect(tree.holdersOf(elements, new Set([1, 9]))).toEqual(new Set());
  });

  test('tells places', () => {
    expect(tree.placeInTree(elements, 4)).toEqual({ parent: 2, index: 1 });
    expect(tree.placeInTree(elements, 6)).toEqual({ parent: null, index: 1 });
    expect(tree.placeInTree(elements, 9)).toBeUndefined();
  });
});

describe('changing', () => {
  const fresh = parseRoom({ id: 1, title: 'New', elements: [node(7)] }).elements[0]!;

  test('removes an element with its children', () => {
    expect(shape(tree.removeElement(elements, 2))).toEqual([[1, [5]], [6]]);
  });

  test('inserts at the top and inside, and says whose child it is', () => {
    expect(shape(tree.insertElement(elements, fresh, { parent: null, index: 1 }))).toEqual([
      [1, [2, [3], [4]], [5]],
      [7],
      [6],
    ]);
    const inside = tree.insertElement(elements, fresh, { parent: 2, index: 0 });
    expect(shape(inside)).toEqual([[1, [2, [7], [3], [4]], [5]], [6]]);
    expect(tree.findElement(inside, 7)!.parent_element_id).toBe(2);
  });

  test('moves to the top and between parents', () => {
    const top = tree.moveElement(elements, 2, { parent: null, index: 0 });
    expect(shape(top)).toEqual([[2, [3], [4]], [1, [5]], [6]]);
    expect(top[0]!.parent_element_id).toBeNull();
    expect(shape(tree.moveElement(elements, 3, { parent: 2, index: 1 }))).toEqual([[1, [2, [4], [3]], [5]], [6]]);
  });

  test('refuses a missing parent, a missing element and a move into itself', () => {
    expect(() => tree.insertElement(elements, fresh, { parent: 9, index: 0 })).toThrow('Element 9 does not exist.');
    expect(() => tree.moveElement(elements, 9, { parent: null, index: 0 })).toThrow('Element 9 does not exist.');
    expect(() => tree.moveElement(elements, 1, { parent: 1, index: 0 })).toThrow("can't be moved into itself");
    expect(() => tree.moveElement(elements, 1, { parent: 3, index: 0 })).toThrow("can't be moved into itself");
  });

  test('replaces an element in place', () => {
    const replaced = tree.replaceElement(elements, { ...fresh, id: 4 });
    expect(tree.findElement(replaced, 4)).toEqual({ ...fresh, id: 4 });
    expect(shape(replaced)).toEqual(shape(elements));
  });

  test('shares the branches that a change does not touch', () => {
    for (const changed of [
      tree.removeElement(elements, 6),
      tree.insertElement(elements, fresh, { parent: 6, index: 0 }),
      tree.replaceElement(elements, { ...fresh, id: 6 }),
    ])
      expect(changed[0]).toBe(elements[0]);
    const removed = tree.removeElement(elements, 5);
    expect(removed[0]!.children[0]).toBe(elements[0]!.children[0]);
    expect(removed[1]).toBe(elements[1]);
  });

  test('in any room, an element taken out and put back at its place restores the tree', () => {
    fc.assert(
      fc.property(arbitraryRoom(), fc.nat(), (room, pick) => {
        const all = [...tree.walk(room.elements)];
        fc.pre(all.length > 0);
        const element = all[pick % all.length]!;
        const place = tree.placeInTree(room.elements, element.id)!;
        const without = tree.removeElement(room.elements, element.id);
        expect(tree.findElement(without, element.id)).toBeUndefined();
        expect(tree.insertElement(without, element, place)).toEqual(room.elements);
      }),
      { numRuns: 300, seed: 2 },
    );
  });
});
