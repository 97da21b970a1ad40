import type { RawBuilder, Selectable } from 'kysely';
import type { Owned } from './column-types.ts';
import type { Database } from './database.ts';
import { orderByName } from './order-by-name.ts';
import { type Ascending, orderOf } from './order-of.ts';
import { offsetOf, type Paging } from './paging.ts';
import { containsWords } from './search.ts';
import type { Tables } from './tables.ts';

export interface NamedTable extends Owned {
  name: string;
}

/** Tables whose rows have a name and belong to an organization. */
export type NamedTables = { [T in keyof Tables]: Tables[T] extends NamedTable ? T : never }[keyof Tables];

/** Sort columns besides the name, and searched columns. */
interface ListColumns<Sort extends string> {
  orders: Record<Exclude<Ascending<Sort>, 'name'>, RawBuilder<unknown>>;
  /** Searched columns, from our own code; one of them must match. */
  searched?: readonly string[];
}

/** An organization's rows by name or in the given order, and the total count. */
export async function listInOrder<T extends NamedTables, Sort extends string>(
  db: Database,
  table: T,
  organizationId: number,
  query: Paging & { search?: string; sort?: Sort },
  { orders, searched = ['name'] }: ListColumns<Sort>,
): Promise<{ rows: Selectable<Tables[T]>[]; total: number }> {
  const { search, sort, per_page } = query;
  let found = db.selectFrom<NamedTables>(table).where('organization_id', '=', organizationId);
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
