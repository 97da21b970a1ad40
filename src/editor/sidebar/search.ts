import type { Element } from '../../../engine/document/element.ts';
import { titleOf } from '../session/element-actions.ts';

/** The elements whose name holds the words, each with the groups that it stands in. */
export function matching(elements: readonly Element[], words: string): readonly Element[] {
  const wanted = words.trim().toLowerCase();
  if (!wanted) return elements;
  return elements.flatMap((element) => {
    const children = matching(element.children, wanted) as Element[];
    return titleOf(element).toLowerCase().includes(wanted) || children.length > 0 ? [{ ...element, children }] : [];
  });
}
