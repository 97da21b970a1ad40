import type { Insertable, Selectable } from 'kysely';
import type { Database } from '../../base/db/database.ts';
import { offsetOf, type Paging } from '../../base/db/paging.ts';
import { containsWords } from '../../base/db/search.ts';
import type { ApiKeyTable } from '../../base/db/tables.ts';

type StoredKey = Selectable<ApiKeyTable>;
/** With the name of whoever made it. */
export type ListedKey = StoredKey & { user_name: string };

const keysIn = (db: Database, organizationId: number) =>
  db.selectFrom('api_keys').where('api_keys.organization_id', '=', organizationId);

const withUser = (found: ReturnType<typeof keysIn>) =>
  found.innerJoin('users', 'users.id', 'api_keys.user_id').selectAll('api_keys').select('users.name as user_name');

/** API keys of an organization, newest first, and how many there are on all pages. */
export async function listKeys(
  db: Database,
  organizationId: number,
  query: Paging & { search?: string },
): Promise<{ rows: ListedKey[]; total: number }> {
  let found = keysIn(db, organizationId);
  if (query.search) found = found.where(containsWords('api_keys.name', query.search));
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await withUser(found)
    .orderBy('api_keys.id', 'desc')
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
