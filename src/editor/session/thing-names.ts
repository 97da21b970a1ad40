import { descriptors } from '../../../engine/document/element.ts';
import { labelOf } from '../../../engine/document/field-labels.ts';
import type { Room } from '../../../engine/document/room.ts';
import { findElement } from '../../../engine/document/tree.ts';

/** What an element is called where people read of it; null stands for the room itself. */
export function nameOfElement(room: Room, id: number | null): string {
  if (id === null) return 'The space';
  const element = findElement(room.elements, id);
  if (!element) return 'An element';
  return element.name ? `“${element.name}”` : descriptors[element.element].label;
}

/** Fields as people read of them, each once. */
export const fieldNames = (paths: Iterable<string>): string => [...new Set([...paths].map(labelOf))].join(', ');
