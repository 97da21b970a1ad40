import type { Element } from '../../engine/document/element.ts';
import { remapElement, remapRoomConfig } from '../../engine/document/remap.ts';
import type { Room } from '../../engine/document/room.ts';
import { walk } from '../../engine/document/tree.ts';

/** Beyond every id that a database gives: an element with such an id is taken for no other one. */
export const BEYOND_IDS = 2 ** 52;

/**
 * A room whose elements have other ids: the first one that of `first`, the others those behind it, in the order of the
 * tree. What refers to them follows.
 */
export function renumbered(room: Room, first: number): Room {
  const ids = new Map([...walk(room.elements)].map(({ id }, index) => [id, first + index]));
  const moved = (element: Element): Element => ({
    ...remapElement(element, ids),
    id: ids.get(element.id)!,
    parent_element_id: element.parent_element_id === null ? null : ids.get(element.parent_element_id)!,
    children: element.children.map(moved),
  });
  return { ...room, config: remapRoomConfig(room.config, ids), elements: room.elements.map(moved) };
}
