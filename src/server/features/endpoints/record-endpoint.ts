import type { ChangeAction } from '../../../contract/entities.ts';
import { type Author, type NewChange, recordChange } from '../../core/changes/record-change.ts';
import { markOfRow, type NewRecord } from '../../core/changes/records.ts';
import type { Database } from '../../core/db/database.ts';
import type { EndpointPlace, StoredEndpoint } from './endpoints-repository.ts';

/** The columns of a structure itself, without what lists show of its space. */
function ownColumns({ room_name, room_title, ...columns }: StoredEndpoint & { below?: string[] }) {
  return columns;
}

/**
 * Writes an entry of the change log about a structure.
 * @param more what is to be said besides its fields, and what restores it
 */
export async function recordEndpoint(
  db: Database,
  author: Author,
  action: ChangeAction,
  before: StoredEndpoint & { below?: string[] },
  after?: StoredEndpoint,
  more: Pick<NewChange, 'records' | 'isRestorable'> & { facts?: object | undefined } = {},
): Promise<void> {
  const { id, room_id, name } = after ?? before;
  const { below: _below, ...row } = ownColumns(before);
  const rows = { row, before: ownColumns(before), after: after && ownColumns(after) };
  await recordChange(db, author, { action, entity: 'endpoint', entity_id: id, room_id, name, ...rows, ...more });
}

/** Places among siblings, from 0. @param list ids and parents, siblings in their order */
function ranksOf(list: readonly (readonly [id: number, parent: number | null])[]): Map<number, number> {
  const counts = new Map<number | null, number>();
  return new Map(
    list.map(([id, parent]) => {
      const rank = counts.get(parent) ?? 0;
      counts.set(parent, rank + 1);
      return [id, rank];
    }),
  );
}

/**
 * Writes an entry about a new order of the tree: the structures that stand elsewhere, each with its place.
 * @param addresses what reverts changes of old addresses
 */
export async function recordOrder(
  db: Database,
  author: Author,
  {
    all,
    places,
    addresses,
  }: { all: readonly StoredEndpoint[]; places: readonly EndpointPlace[]; addresses: readonly NewRecord[] },
): Promise<void> {
  const [ranks, newRanks] = [
    ranksOf(all.map(({ id, parent_endpoint_id }) => [id, parent_endpoint_id])),
    ranksOf(places.map(({ id, parent }) => [id, parent])),
  ];
  const was = new Map(all.map((row) => [row.id, row]));
  const moved = places.flatMap(({ id, parent }) => {
    const row = was.get(id);
    const [before, rank] = [ranks.get(id), newRanks.get(id)];
    return row && (row.parent_endpoint_id !== parent || before !== rank) ? [{ id, parent, before, rank, row }] : [];
  });
  const [first] = moved;
  if (!first) return;
  const placed = places.flatMap(({ id, parent: parent_endpoint_id, index }): NewRecord[] => {
    const row = was.get(id);
    if (!row || (row.parent_endpoint_id === parent_endpoint_id && row.index === index)) return [];
    const mark = markOfRow(ownColumns({ ...row, parent_endpoint_id, index }));
    const rows = [{ parent_endpoint_id: row.parent_endpoint_id, index: row.index }];
    return [{ kind: 'endpoints', action: 'update', entity_id: id, name: row.name, mark, content: { rows } }];
  });
  const before = moved.map(({ before: order_rank, row: { slug, parent_endpoint_id } }) => [
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
    records: [...addresses, ...placed],
  });
}
