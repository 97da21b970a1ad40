import type { Database } from '../../core/db/database.ts';

/** Spaces that use templates, by the ids of these. */
export async function usesOfTemplates(
  db: Database,
  ids: readonly number[],
): Promise<ReadonlyMap<number, { id: number; name: string }[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('rooms')
    .select(['id', 'title', 'template_id'])
    .where('template_id', 'in', ids)
    .orderBy('id')
    .execute();
  const uses = Map.groupBy(rows, ({ template_id }) => Number(template_id));
  return new Map([...uses].map(([id, found]) => [id, found.map(({ id, title }) => ({ id, name: title }))]));
}
