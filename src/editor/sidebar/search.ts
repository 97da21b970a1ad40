import type { Element, ElementType } from '../../../engine/document/element.ts';
import { titleOf } from '../session/element-actions.ts';

/** What is looked for in the tree. */
export interface Search {
  words: string;
  /** Only elements of this type; null for all. */
  type: ElementType | null;
}

/** Whether everything is wanted. */
export const isAll = ({ words, type }: Search): boolean => words.trim() === '' && type === null;

/** The elements of a type whose name holds the words, each with the groups that it stands in. */
export function matching(elements: readonly Element[], search: Search): readonly Element[] {
  if (isAll(search)) return elements;
  const wanted = search.words.trim().toLowerCase();
  const isMatch = (element: Element) =>
    (search.type === null || element.element === search.type) && titleOf(element).toLowerCase().includes(wanted);
  const found = (list: readonly Element[]): Element[] =>
    list.flatMap((element) => {
      const children = found(element.children);
      return isMatch(element) || children.length > 0 ? [{ ...element, children }] : [];
    });
  return found(elements);
}
