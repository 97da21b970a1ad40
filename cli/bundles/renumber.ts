import { remapElement, remapRoomConfig } from '../../engine/document/remap.ts';
import { type NestedRoom, nestedRoom, type Room } from '../../engine/document/room.ts';

/** Beyond every id that a database gives: an element with such an id is taken for no other one. */
export const BEYOND_IDS = 2 ** 52;

/**
 * A room whose elements have other ids: the first one that of `first`, the others those behind it, in the order of the
 * tree. What refers to them follows.
 */
export function renumbered(room: Room, first: number): NestedRoom {
  const ids = new Map(room.elements.map(({ id }, place) => [id, first + place]));
  const elements = room.elements.map((element) => ({
    ...remapElement(element, ids),
    id: ids.get(element.id)!,
    parent_element_id: ids.get(element.parent_element_id ?? 0) ?? null,
  }));
  return nestedRoom({ ...room, config: remapRoomConfig(room.config, ids), elements });
}
