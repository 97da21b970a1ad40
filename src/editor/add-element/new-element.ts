import { type Element, type ElementType, flatElementSchema } from '../../../engine/document/element.ts';

/** A new element of a type, with everything at its default. */
export function newElement(type: ElementType, id: number): Element {
  return flatElementSchema.parse({ id, element: type });
}
