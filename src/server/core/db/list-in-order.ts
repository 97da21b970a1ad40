import type { RawBuilder, Selectable } from 'kysely';
import type { Database } from './database.ts';
import { orderByName } from './order-by-name.ts';
import { type Ascending, orderOf } from './order-of.ts';
import { offsetOf, type Paging } from './paging.ts';
import { containsWords } from './search.ts';
import type { Tables } from './tables.ts';

/** Tables whose rows have a name in an organization. */
type Named = 'feeds' | 'live_streams' | 'templates' | 'users';

/** Sort columns besides the name, and searched columns. */
interface ListColumns<Sort extends string> {
  orders: Record<Exclude<Ascending<Sort>, 'name'>, RawBuilder<unknown>>;
  /** Searched columns, from our own code; one of them must match. */
  searched?: readonly string[];
}

/** An organization's rows by name or in the given order, and the total count. */
export async function listInOrder<T extends Named, Sort extends string>(
  db: Database,
  table: T,
  organizationId: number,
  query: Paging & { search?: string; sort?: Sort },
  { orders, searched = ['name'] }: ListColumns<Sort>,
): Promise<{ rows: Selectable<Tables[T]>[]; total: number }> {
  const { search, sort, per_page } = query;
  let found = db.selectFrom<Named>(table).where('organization_id', '=', organizationId);
  if (search) found = found.where((where) => where.or(searched.map((column) => containsWords(column, search))));
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const { by, direction } = orderOf<string>(sort ?? 'name');
  const columns: Readonly<Record<string, RawBuilder<unknown>>> = { name: orderByName(db, 'name'), ...orders };
  const rows = await found
    .selectAll()
    .orderBy(columns[by]!, direction)
    .orderBy('id', direction)
    .limit(per_page)
    .offset(offsetOf(query))
    .execute();
  return { rows: rows as Selectable<Tables[T]>[], total: Number(total) };
}
