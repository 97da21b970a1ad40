import { remapElement, remapRoomConfig } from '../../engine/document/remap.ts';
import { type NestedRoom, nestedRoom, type Room } from '../../engine/document/room.ts';

/** Above every id that a database assigns, so these never match an existing element. */
export const BEYOND_IDS = 2 ** 52;

/**
 * A room with renumbered elements: the first element gets the id `first`, the others count up from it in tree
 * order. References to elements are updated.
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
