import { descriptors, type Element } from '../../../engine/document/element.ts';
import type { Room } from '../../../engine/document/room.ts';
import { findElement } from '../../../engine/document/tree.ts';
import { say } from '../../ui/language/say.ts';
import { labelAt } from '../fields/field-label.ts';

/** Name of an element on screens. */
export const titleOf = ({ name, element }: Element): string => name || say(descriptors[element].label);

/** Name of a list of elements on screens. */
export const titlesOf = (elements: readonly Element[]): string =>
  elements.length === 1 ? `“${titleOf(elements[0]!)}”` : `${elements.length} elements`;

/** Name of an element in a message; null stands for the room. */
export function nameOfElement(room: Room, id: number | null): string {
  if (id === null) return 'The space';
  const element = findElement(room.elements, id);
  if (!element) return 'An element';
  return element.name ? `“${element.name}”` : say(descriptors[element.element].label);
}

/** Labels of fields, without duplicates. */
export const fieldNames = (paths: Iterable<string>): string => [...new Set([...paths].map(labelAt))].join(', ');
