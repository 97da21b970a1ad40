import type { Element, ElementType } from '../../../engine/document/element.ts';
import { holdersOf } from '../../../engine/document/tree.ts';
import { titleOf } from '../session/element-names.ts';

/** What is looked for in the tree. */
export interface Search {
  words: string;
  /** Only elements of this type; null for all. */
  type: ElementType | null;
}

/** Whether everything is wanted. */
export const isAll = ({ words, type }: Search): boolean => words.trim() === '' && type === null;

/** An element as an item of the tree. */
export interface ElementItem {
  id: number;
  element: Element;
  children: ElementItem[];
}

function itemsOf(elements: readonly Element[]): ElementItem[] {
  const items = new Map<number | null, ElementItem>();
  const top: ElementItem[] = [];
  for (const element of elements) {
    const item = { id: element.id, element, children: [] };
    items.set(element.id, item);
    (items.get(element.parent_element_id)?.children ?? top).push(item);
  }
  return top;
}

/** The elements of a type whose name holds the words, each with the groups that it stands in, as a tree. */
export function matching(elements: readonly Element[], search: Search): readonly ElementItem[] {
  if (isAll(search)) return itemsOf(elements);
  const wanted = search.words.trim().toLowerCase();
  const isMatch = (element: Element) =>
    (search.type === null || element.element === search.type) && titleOf(element).toLowerCase().includes(wanted);
  const found = new Set(elements.filter(isMatch).map(({ id }) => id));
  const holders = holdersOf(elements, found);
  return itemsOf(elements.filter(({ id }) => found.has(id) || holders.has(id)));
}
