import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Database } from '../../core/db/database.ts';
import { forUpdate } from '../../core/db/for-update.ts';
import { offsetOf, type Paging } from '../../core/db/paging.ts';
import { containsWords } from '../../core/db/search.ts';
import type { ImportTable } from './table.ts';

export type StoredImport = Selectable<ImportTable>;
/** An import in lists: with its author's name, and whether it can be undone. */
export type ListedImport = Pick<StoredImport, 'id' | 'at' | 'kind' | 'user_id' | 'answer' | 'undone_at'> & {
  user_name: string | null;
  has_records: unknown;
};

/** Imports of an organization, newest first, and the total over all pages. */
export async function listImports(
  db: Database,
  organizationId: number,
  query: Paging & { search?: string },
): Promise<{ rows: ListedImport[]; total: number }> {
  let found = db.selectFrom('imports').where('imports.organization_id', '=', organizationId);
  if (query.search) found = found.where(containsWords('imports.kind', query.search));
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await found
    .leftJoin('users', 'users.id', 'imports.user_id')
    .select(['imports.id', 'imports.at', 'imports.kind', 'imports.user_id', 'imports.answer', 'imports.undone_at'])
    .select(({ exists, selectFrom }) =>
      exists(selectFrom('change_rows').select('id').whereRef('batch', '=', 'imports.batch')).as('has_records'),
    )
    .select(({ fn }) => fn.coalesce('users.name', 'imports.author_name').as('user_name'))
    .orderBy('imports.id', 'desc')
    .limit(query.per_page)
    .offset(offsetOf(query))
    .execute();
  return { rows, total: Number(total) };
}

/** A user's import by idempotency key. */
export async function findImportByKey(
  db: Database,
  organizationId: number,
  userId: number,
  key: string,
): Promise<StoredImport | undefined> {
  return db
    .selectFrom('imports')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('idempotency_key', '=', key)
    .executeTakeFirst();
}

/** An import, locked until the transaction ends. */
export async function lockImport(db: Database, organizationId: number, id: number): Promise<StoredImport | undefined> {
  const query = db.selectFrom('imports').selectAll().where('organization_id', '=', organizationId).where('id', '=', id);
  return forUpdate(db, query).executeTakeFirst();
}

/** Adds an import without a response. @returns its id */
export async function insertImport(
  db: Database,
  values: Omit<Insertable<ImportTable>, 'answer' | 'undone_at'>,
): Promise<number> {
  const { id } = await db
    .insertInto('imports')
    .values({ ...values, answer: '{}', undone_at: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateImport(db: Database, id: number, values: Updateable<ImportTable>): Promise<void> {
  await db.updateTable('imports').set(values).where('id', '=', id).execute();
}

export async function deleteImport(db: Database, id: number): Promise<void> {
  await db.deleteFrom('imports').where('id', '=', id).execute();
}
