import type { Selectable } from 'kysely';
import type { Database } from './database.ts';
import { orderByName } from './order-by-name.ts';
import { offsetOf, type Paging } from './paging.ts';
import { containsWords } from './search.ts';
import type { Tables } from './tables.ts';

/** Tables whose rows have a name in an organization. */
type Named = 'feeds' | 'live_streams' | 'templates' | 'users';

/**
 * Rows of an organization by name, and how many there are on all pages.
 * @param searched columns, from our own code, of which one has the words of a search
 */
export async function listByName<T extends Named>(
  db: Database,
  table: T,
  organizationId: number,
  query: Paging & { search?: string },
  searched: readonly string[] = ['name'],
): Promise<{ rows: Selectable<Tables[T]>[]; total: number }> {
  const { search, per_page } = query;
  let found = db.selectFrom<Named>(table).where('organization_id', '=', organizationId);
  if (search) found = found.where((where) => where.or(searched.map((column) => containsWords(column, search))));
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await found
    .selectAll()
    .orderBy(orderByName(db, 'name'))
    .orderBy('id')
    .limit(per_page)
    .offset(offsetOf(query))
    .execute();
  return { rows: rows as Selectable<Tables[T]>[], total: Number(total) };
}
