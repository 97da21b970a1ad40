import { type Element, type ElementType, flatElementSchema } from '../../../engine/document/element.ts';
import type { Vector } from '../../../engine/document/fields.ts';

/** A new element of a type, with everything at its default. */
export function newElement(type: ElementType, id: number, { x, y, z }: Vector = { x: 0, y: 0, z: 0 }): Element {
  const place = { position_x: Math.floor(x), position_y: Math.floor(y), position_z: Math.floor(z) };
  return { ...flatElementSchema.parse({ id, element: type, ...place }), children: [] } as Element;
}
