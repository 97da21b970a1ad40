import { ApiError } from '../../../contract/errors.ts';
import { normalizeSlug, RESERVED_SLUGS } from '../../../contract/slug.ts';
import type { Database } from '../../core/db/database.ts';
import { findRoom } from '../rooms/rooms-repository.ts';
import type { StoredEndpoint } from './endpoints-repository.ts';

/** What decides where a structure can stand. */
export type Placed = Pick<StoredEndpoint, 'id' | 'slug' | 'parent_endpoint_id'>;

function refuseField(field: string, text: string): never {
  throw new ApiError('invalid', { [field]: [text] });
}

/** A slug as it is stored; a text of which nothing can stand in an address is refused. */
export const readSlug = (text: string): string =>
  normalizeSlug(text) || refuseField('slug', 'Give it a slug with letters of a to z or digits.');

/**
 * Refuses a slug that is taken by a sibling or by the product itself.
 * @param others every structure of the organization
 */
export function checkSlug(others: readonly Placed[], { id, slug, parent_endpoint_id }: Placed): void {
  if (parent_endpoint_id === null && RESERVED_SLUGS.includes(slug))
    refuseField('slug', `The address /${slug} is taken by the product itself. Choose another slug.`);
  const twin = others.some(
    (other) => other.id !== id && other.slug === slug && other.parent_endpoint_id === parent_endpoint_id,
  );
  if (twin) refuseField('slug', 'Another structure in the same place has this slug. Choose another one.');
}

/**
 * Refuses a parent that does not exist or would make a third level.
 * @param all every structure of the organization
 * @param id the structure that is placed; undefined for a new one
 */
export function checkParentEndpoint(all: readonly Placed[], parent: number | null, id?: number): void {
  if (parent === null) return;
  const found = all.find((endpoint) => endpoint.id === parent);
  if (!found) refuseField('parent_endpoint_id', 'This structure does not exist.');
  if (found.id === id) refuseField('parent_endpoint_id', "A structure can't stand below itself.");
  if (
    found.parent_endpoint_id !== null ||
    all.some((endpoint) => endpoint.parent_endpoint_id === id && id !== undefined)
  )
    refuseField('parent_endpoint_id', 'Structures stand on two levels at most.');
}

/** Refuses a space that the organization does not have. */
export async function checkRoom(db: Database, organizationId: number, roomId: number | null): Promise<void> {
  if (roomId !== null && !(await findRoom(db, organizationId, roomId)))
    refuseField('room_id', 'Space not found; it may have been deleted. Choose another one.');
}
