/**
 * A room's elements are a flat list in tree order: parents before children, siblings in order. An element's descendants
 * follow it directly.
 */
import type { Element, NestedElement } from './element.ts';

/** An element id that is not in the room, for example because another user removed the element. */
export class NoSuchElement extends RangeError {
  constructor(id: number) {
    super(`Element ${id} doesn't exist.`);
    this.name = 'NoSuchElement';
  }
}

type Elements = readonly Element[];
/** Position of an element in the tree. */
type Placed = Pick<Element, 'id' | 'parent_element_id'>;

/** An index of a list: elements by id, and child ids by parent. */
export interface Layout {
  /** The earlier list that this one derives from, and the changes since; null for removed elements. */
  before: ReadonlyMap<number, Element>;
  changed: ReadonlyMap<number, Element | null>;
  lists: ReadonlyMap<number | null, readonly number[]>;
}
const layouts = new WeakMap<Elements, Layout>();
const UNCHANGED: Layout['changed'] = new Map();
/** Minimum number of changed elements before the map of all elements is rebuilt. */
const MIN_CHANGED = 16;

/** The cached layout of a list. */
export function layoutOf(elements: Elements): Layout {
  const known = layouts.get(elements);
  if (known) return known;
  const lists = new Map<number | null, number[]>();
  for (const { id, parent_element_id: parent } of elements) {
    const list = lists.get(parent);
    if (list) list.push(id);
    else lists.set(parent, [id]);
  }
  const layout = { before: byId(elements), changed: UNCHANGED, lists };
  layouts.set(elements, layout);
  return layout;
}

/** Caches the layout of a list derived from another, so that small changes to large rooms are cheap. */
export function cacheLayout(
  elements: Elements,
  { before, changed, lists }: Layout,
  { changed: more, lists: others }: Pick<Layout, 'changed' | 'lists'>,
): void {
  // Each edit copies the changes, and now and then one copies all elements: the square root balances the two.
  const isRebuilt = changed.size + more.size > Math.max(MIN_CHANGED, Math.sqrt(elements.length));
  // Child lists of removed elements go when all lists are rebuilt.
  if (isRebuilt && lists.size > elements.length) return;
  layouts.set(elements, {
    ...(isRebuilt
      ? { before: byId(elements), changed: UNCHANGED }
      : { before, changed: new Map([...changed, ...more]) }),
    lists: others.size > 0 ? new Map([...lists, ...others]) : lists,
  });
}

export function findIn({ before, changed }: Layout, id: number): Element | undefined {
  const found = changed.get(id);
  return found === undefined ? before.get(id) : (found ?? undefined);
}

export const findElement = (elements: Elements, id: number): Element | undefined => findIn(layoutOf(elements), id);

/** Indexes elements by id. */
export const byId = <T extends { id: number }>(elements: readonly T[]): Map<number, T> =>
  new Map(elements.map((element) => [element.id, element]));

/** Children of an element, or of the top level if `parent` is null. */
export const childrenOf = <T extends Placed>(elements: readonly T[], parent: number | null): T[] =>
  elements.filter(({ parent_element_id }) => parent_element_id === parent);

/** Child ids of an element, or of the top level if `parent` is null. */
export const idsBelow = (elements: Elements, parent: number | null): readonly number[] =>
  layoutOf(elements).lists.get(parent) ?? [];

/** An element and its descendants; empty if it doesn't exist. */
export function branchOf(elements: Elements, id: number): Element[] {
  const layout = layoutOf(elements);
  const visit = (element: Element): Element[] => [
    element,
    ...(layout.lists.get(element.id) ?? []).flatMap((child) => visit(findIn(layout, child)!)),
  ];
  const top = findIn(layout, id);
  return top ? visit(top) : [];
}

/** The ancestors of an element, nearest first; empty at the top level or if it doesn't exist. */
export function ancestorsOf(elements: Elements, id: number): Element[] {
  const layout = layoutOf(elements);
  const above = (element: Element | undefined) => findIn(layout, element?.parent_element_id ?? 0);
  const found: Element[] = [];
  for (let group = above(findIn(layout, id)); group; group = above(group)) found.push(group);
  return found;
}

/** Ids of all ancestors of the given elements. */
export function ancestorIdsOf(elements: Elements, ids: ReadonlySet<number>): Set<number> {
  const holders = new Set<number>();
  for (const { id, parent_element_id } of elements.toReversed())
    if (parent_element_id !== null && (ids.has(id) || holders.has(id))) holders.add(parent_element_id);
  return holders;
}

/** The position of an element: its parent and previous sibling; null if it is the first. */
export interface Spot {
  parent: number | null;
  after: number | null;
}

/** The position of an element; undefined if it doesn't exist. */
export function spotOf(elements: Elements, id: number): Spot | undefined {
  const element = findElement(elements, id);
  if (!element) return undefined;
  const siblings = idsBelow(elements, element.parent_element_id);
  return { parent: element.parent_element_id, after: siblings[siblings.indexOf(id) - 1] ?? null };
}

/** Removes hidden elements and their descendants. */
export function shownElements<T extends Placed & { hidden: boolean }>(elements: readonly T[]): T[] {
  const hidden = new Set<number | null>();
  return elements.filter((element) => {
    const isHidden = element.hidden || hidden.has(element.parent_element_id);
    if (isHidden) hidden.add(element.id);
    return !isHidden;
  });
}

/** The given elements without descendants of one another: the ones to move, remove or copy. */
export function topmost(elements: Elements, ids: ReadonlySet<number>): Element[] {
  const inside = new Set<number | null>();
  return elements.filter(({ id, parent_element_id }) => {
    const isInside = inside.has(parent_element_id);
    if (isInside || ids.has(id)) inside.add(id);
    return !isInside && ids.has(id);
  });
}

/** Nests elements, as in files and API calls. Elements with a missing parent move to the top level. */
export function nest(elements: Elements): NestedElement[] {
  const top: NestedElement[] = [];
  const lists = new Map<number | null, NestedElement[]>();
  for (const element of elements) {
    const children: NestedElement[] = [];
    lists.set(element.id, children);
    (lists.get(element.parent_element_id) ?? top).push({ ...element, children });
  }
  return top;
}

/** Flattens nested elements. */
export const flatten = (nested: readonly NestedElement[], parent: number | null = null): Element[] =>
  nested.flatMap(({ children, ...element }) => [
    { ...element, parent_element_id: parent } as Element,
    ...flatten(children, element.id),
  ]);
