import { detached, hasSameContent, isPlace } from '../../../../engine/document/blocks.ts';
import type { Element } from '../../../../engine/document/element.ts';
import { branchOf } from '../../../../engine/document/tree.ts';
import type { Database } from '../../core/db/database.ts';
import { findElements } from '../rooms/elements-repository.ts';
import { blockRows, findVersions } from './queries.ts';

/**
 * The elements of a document in which places of unknown blocks are ordinary groups: another server has other blocks under
 * the same ids. A place is known if it was one in the room before, or equals the version that it names.
 * @param elements in tree order
 * @param options the room that the document replaces, undefined for a new one; and whether the ids of blocks are those of
 * this organization, so that places may have changes of their own
 */
export async function withKnownPlaces(
  db: Database,
  organizationId: number,
  elements: Element[],
  { roomId, isOwn = false }: { roomId: number | undefined; isOwn?: boolean },
): Promise<Element[]> {
  const places = elements.filter(isPlace);
  if (places.length === 0) return elements;
  const stored = await findElements(
    db,
    organizationId,
    places.map(({ id }) => id),
  );
  const before = new Map(stored.map((row) => [row.id, row.room_id === roomId ? row.block_id : null]));
  const unknown = new Set<Element>();
  for (const place of places) {
    const { block_id: id, block_version } = place.config;
    if (before.get(place.id) === id) continue;
    const block = await blockRows.find(db, organizationId, id);
    const base = block && (await findVersions(db, id, [block_version ?? 0])).get(block_version ?? 0);
    if (isOwn && base) continue;
    if (!base || !hasSameContent(branchOf(elements, place.id), base)) unknown.add(place);
  }
  return elements.map((element) => (unknown.has(element) ? detached(element) : element));
}
