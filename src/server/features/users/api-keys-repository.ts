import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely';
import type { API_KEY_ORDERS } from '../../../contract/calls/api-keys.ts';
import type { Database } from '../../core/db/database.ts';
import { orderByName } from '../../core/db/order-by-name.ts';
import { type Ascending, orderOf } from '../../core/db/order-of.ts';
import { offsetOf, type Paging } from '../../core/db/paging.ts';
import { containsWords } from '../../core/db/search.ts';
import type { ApiKeyTable } from './table.ts';

type StoredKey = Selectable<ApiKeyTable>;
/** With the name of whoever made it. */
export type ListedKey = StoredKey & { user_name: string };

const keysIn = (db: Database, organizationId: number) =>
  db.selectFrom('api_keys').where('api_keys.organization_id', '=', organizationId);

const withUser = (found: ReturnType<typeof keysIn>) =>
  found.innerJoin('users', 'users.id', 'api_keys.user_id').selectAll('api_keys').select('users.name as user_name');

type KeyOrder = (typeof API_KEY_ORDERS)[number];

/** What keys are ordered by: of their ends, none is the last one. */
const columnsOf = (db: Database): Record<Exclude<Ascending<KeyOrder>, 'created'>, RawBuilder<unknown>> => ({
  name: orderByName(db, 'api_keys.name'),
  used: sql`coalesce(api_keys.last_used_at, '')`,
  expires: sql`coalesce(api_keys.expires_at, '9999')`,
});

/** API keys of an organization, newest first unless another order is asked for, and how many there are on all pages. */
export async function listKeys(
  db: Database,
  organizationId: number,
  query: Paging & { search?: string; sort?: KeyOrder },
): Promise<{ rows: ListedKey[]; total: number }> {
  let found = keysIn(db, organizationId);
  if (query.search) found = found.where(containsWords('api_keys.name', query.search));
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const { by, direction } = orderOf(query.sort ?? '-created');
  const page = withUser(found);
  const rows = await (by === 'created' ? page : page.orderBy(columnsOf(db)[by], direction))
    .orderBy('api_keys.id', direction)
    .limit(query.per_page)
    .offset(offsetOf(query))
    .execute();
  return { rows, total: Number(total) };
}

export async function insertKey(db: Database, values: Insertable<ApiKeyTable>): Promise<ListedKey> {
  const { id } = await db.insertInto('api_keys').values(values).returning('id').executeTakeFirstOrThrow();
  return withUser(keysIn(db, values.organization_id)).where('api_keys.id', '=', id).executeTakeFirstOrThrow();
}

/** Deletes a key. @returns the row that there was */
export async function deleteKey(db: Database, organizationId: number, id: number): Promise<StoredKey | undefined> {
  return db
    .deleteFrom('api_keys')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}
