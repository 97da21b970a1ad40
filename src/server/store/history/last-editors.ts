import type { ChangedEntity } from '../../../contract/entities.ts';
import type { Database } from '../../base/db/database.ts';

/** Names of who changed things last, by their ids, as far as the change log goes back. */
export async function lastEditors(
  db: Database,
  organizationId: number,
  entity: ChangedEntity,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('changes')
    .leftJoin('users', 'users.id', 'changes.user_id')
    .select('changes.entity_id')
    .select(({ fn }) => fn.coalesce('users.name', 'changes.author_name').as('by'))
    .where('changes.id', 'in', (query) =>
      query
        .selectFrom('changes as own')
        .select(({ fn }) => fn.max('own.id').as('last'))
        .where('own.organization_id', '=', organizationId)
        .where('own.entity', '=', entity)
        .where('own.entity_id', 'in', ids)
        .groupBy('own.entity_id'),
    )
    .execute();
  return new Map(rows.flatMap(({ entity_id, by }) => (by === null ? [] : [[Number(entity_id), by]])));
}
