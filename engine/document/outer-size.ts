import type { Element } from './element.ts';
import { borderOf, type FramingTemplate, framingOf } from './framing.ts';
import { fileSize } from './image-size.ts';
import { isInRoom } from './in-room.ts';

/** Distance in units that an element's frame adds on each side; 0 for elements without one. */
export const borderOfElement = (element: Element, template: FramingTemplate): number =>
  element.element === 'image' && isInRoom(element) ? borderOf(framingOf(element.config, template)) : 0;

/** Size of an element in units with its frame, before it is drawn, without its scale. */
export function outerSize(element: Element, template: FramingTemplate): { width: number; height: number } {
  const { width, height } = fileSize(element);
  const border = borderOfElement(element, template);
  return { width: width + 2 * border, height: height + 2 * border };
}
