import type { Element } from '../../../../engine/document/element.ts';
import { type IdMap, remapElement } from '../../../../engine/document/remap.ts';
import type { Database } from '../../core/db/database.ts';
import { reserveIds } from '../../core/db/reserve-ids.ts';
import { elementColumnsOf } from './element-row.ts';
import { insertElements } from './elements-repository.ts';

/** Where elements are put: who owns them, and the stamp that they get. */
export interface Destination {
  organizationId: number;
  roomId: number;
  at: string;
}

/**
 * Stores elements under new ids. What they say of each other, parents included, points to the new ones; a parent that
 * is not among them stays.
 * @param elements parents before their children, siblings in order
 * @returns new ids by old ids
 */
export async function storeElements(
  db: Database,
  { organizationId, roomId, at }: Destination,
  elements: readonly Element[],
): Promise<IdMap> {
  const reserved = await reserveIds(db, 'elements', elements.length);
  const ids = new Map(elements.map(({ id }, index) => [id, reserved[index]!]));
  await insertElements(
    db,
    elements.map((element) => ({
      ...elementColumnsOf(remapElement(element, ids)),
      id: ids.get(element.id)!,
      organization_id: organizationId,
      room_id: roomId,
      parent_element_id:
        element.parent_element_id === null ? null : (ids.get(element.parent_element_id) ?? element.parent_element_id),
      index: element.index,
      created_at: at,
      updated_at: at,
    })),
  );
  return ids;
}
