import type { Element } from './element.ts';

/** An element is named that a room does not have: somebody may have removed it. */
export class NoSuchElement extends RangeError {
  constructor(id: number) {
    super(`Element ${id} does not exist.`);
    this.name = 'NoSuchElement';
  }
}

/** Visits every element, parents before their children, in order. */
export function* walk(elements: readonly Element[]): Generator<Element> {
  for (const element of elements) {
    yield element;
    yield* walk(element.children);
  }
}

/** How many elements a tree has. */
export function countElements(elements: readonly Element[]): number {
  let count = elements.length;
  for (const { children } of elements) if (children.length > 0) count += countElements(children);
  return count;
}

/** The element with this id, wherever it stands in the tree. */
export function findElement(elements: readonly Element[], id: number): Element | undefined {
  for (const element of elements) {
    if (element.id === id) return element;
    const found = element.children.length > 0 ? findElement(element.children, id) : undefined;
    if (found) return found;
  }
  return undefined;
}

/** Children of an element, or the top of the tree for null; undefined when there is no such element. */
export function childrenOf(elements: Element[], id: number | null): Element[] | undefined {
  return id === null ? elements : findElement(elements, id)?.children;
}

/** The groups that hold an element, nearest first; empty at the top or when it does not exist. */
export function ancestorsOf(elements: readonly Element[], id: number): Element[] {
  const search = (list: readonly Element[], trail: Element[]): Element[] | undefined => {
    for (const element of list) {
      if (element.id === id) return trail;
      const found = search(element.children, [element, ...trail]);
      if (found) return found;
    }
    return undefined;
  };
  return search(elements, []) ?? [];
}

/** Ids of the groups that hold any of these elements. */
export function holdersOf(elements: readonly Element[], ids: ReadonlySet<number>): Set<number> {
  const holders = new Set<number>();
  const holds = (list: readonly Element[]): boolean => {
    let any = false;
    for (const { id, children } of list) {
      const isHolder = children.length > 0 && holds(children);
      if (isHolder) holders.add(id);
      any ||= isHolder || ids.has(id);
    }
    return any;
  };
  holds(elements);
  return holders;
}

/** Where an element stands: its parent and its place among the parent's children. */
export interface Place {
  parent: number | null;
  index: number;
}

/** The place of an element; undefined when it does not exist. */
export function placeInTree(elements: readonly Element[], id: number, parent: number | null = null): Place | undefined {
  for (const [index, element] of elements.entries()) {
    if (element.id === id) return { parent, index };
    const found = placeInTree(element.children, id, element.id);
    if (found) return found;
  }
  return undefined;
}

/**
 * A copy of the tree in which the list that holds an element is another one; other branches are shared, and the tree itself
 * is given back where it has no such element.
 * @param change makes the new list of the old one and the element's place in it
 */
function changeList(elements: Element[], id: number, change: (list: Element[], index: number) => Element[]): Element[] {
  for (let at = 0; at < elements.length; at++) {
    const element = elements[at]!;
    if (element.id === id) return change(elements, at);
    if (element.children.length === 0) continue;
    const children = changeList(element.children, id, change);
    if (children !== element.children) return elements.with(at, { ...element, children });
  }
  return elements;
}

/** A copy of the tree in which an element stands in the place of the one with its id; other branches are shared. */
export const replaceElement = (elements: Element[], replacement: Element): Element[] =>
  changeList(elements, replacement.id, (list, index) => list.with(index, replacement));

/** The same for many at once, by their ids; what is replaced keeps the children that it has in the tree. */
export function replaceElements(elements: readonly Element[], replacements: ReadonlyMap<number, Element>): Element[] {
  return elements.map((element) => {
    const wanted = replacements.get(element.id) ?? element;
    if (element.children.length === 0) return wanted;
    const children = replaceElements(element.children, replacements);
    return children.every((child, index) => child === element.children[index]) ? wanted : { ...wanted, children };
  });
}

/** A copy of the tree without an element and its children. */
export const removeElement = (elements: Element[], id: number): Element[] =>
  changeList(elements, id, (list, index) => list.toSpliced(index, 1));

/**
 * A copy of the tree with an element put in.
 * @throws NoSuchElement when the parent does not exist
 */
export function insertElement(elements: Element[], element: Element, { parent, index }: Place): Element[] {
  const placed = element.parent_element_id === parent ? element : { ...element, parent_element_id: parent };
  if (parent === null) return elements.toSpliced(index, 0, placed);
  const result = changeList(elements, parent, (list, at) => {
    const group = list[at]!;
    return list.with(at, { ...group, children: group.children.toSpliced(index, 0, placed) });
  });
  if (result === elements) throw new NoSuchElement(parent);
  return result;
}

/**
 * A copy of the tree with an element moved to another place.
 * @param place the place after the element was taken out of its old one
 * @throws RangeError when either element does not exist, or when it would end up inside itself
 */
export function moveElement(elements: Element[], id: number, place: Place): Element[] {
  const element = findElement(elements, id);
  if (!element) throw new NoSuchElement(id);
  if (place.parent !== null && (place.parent === id || findElement(element.children, place.parent)))
    throw new RangeError(`Element ${id} can't be moved into itself.`);
  return insertElement(removeElement(elements, id), element, place);
}

/** Elements without those that are hidden, and what is in them. */
export const shownElements = (elements: readonly Element[]): Element[] =>
  elements
    .filter(({ hidden }) => !hidden)
    .map((element) => ({ ...element, children: shownElements(element.children) }));

/**
 * Those of some elements that stand in none of the others, in the order of the tree: what moving, removing or copying
 * all of them comes to.
 */
export function topmost(elements: readonly Element[], ids: ReadonlySet<number>): Element[] {
  return elements.flatMap((element) => (ids.has(element.id) ? [element] : topmost(element.children, ids)));
}
