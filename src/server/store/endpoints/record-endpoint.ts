import type { ChangeAction } from '../../../contract/entities.ts';
import type { Database } from '../../base/db/database.ts';
import { type Author, recordChange } from '../history/record-change.ts';
import type { EndpointPlace, StoredEndpoint } from './endpoints-repository.ts';

/** The columns of a structure itself, without what lists show of its space. */
function ownColumns({ room_name, room_title, ...columns }: StoredEndpoint) {
  return columns;
}

/**
 * Writes an entry of the change log about a structure.
 * @param more what is to be said besides its fields, and what brings it back
 */
export async function recordEndpoint(
  db: Database,
  author: Author,
  action: ChangeAction,
  before: StoredEndpoint,
  after?: StoredEndpoint,
  more: { facts?: object | undefined; content?: object } = {},
): Promise<void> {
  const { id, room_id, name } = after ?? before;
  const rows = { before: ownColumns(before), after: after && ownColumns(after) };
  await recordChange(db, author, { action, entity: 'endpoint', entity_id: id, room_id, name, ...rows, ...more });
}

/** Writes an entry about a new order of the tree: the structures that stand elsewhere, each with its place. */
export async function recordOrder(
  db: Database,
  author: Author,
  all: readonly StoredEndpoint[],
  places: readonly EndpointPlace[],
): Promise<void> {
  const was = new Map(all.map((row) => [row.id, row]));
  const moved = places.flatMap(({ id, parent, rank }) => {
    const row = was.get(id);
    return row && (row.parent_endpoint_id !== parent || row.order_rank !== rank) ? [{ id, parent, rank, row }] : [];
  });
  const [first] = moved;
  if (!first) return;
  const before = moved.map(({ row: { slug, parent_endpoint_id, order_rank } }) => [
    slug,
    { parent_endpoint_id, order_rank },
  ]);
  const after = moved.map(({ parent, rank, row }) => [row.slug, { parent_endpoint_id: parent, order_rank: rank }]);
  await recordChange(db, author, {
    action: 'update',
    entity: 'endpoint',
    entity_id: first.id,
    name: 'Order of the structures',
    before: Object.fromEntries(before),
    after: Object.fromEntries(after),
  });
}
