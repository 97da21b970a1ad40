import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Database } from '../../base/db/database.ts';
import { forUpdate } from '../../base/db/for-update.ts';
import { listByName } from '../../base/db/list-by-name.ts';
import type { Paging } from '../../base/db/paging.ts';
import type { FeedTable } from '../../base/db/tables.ts';

export type FeedRow = Selectable<FeedTable>;

const rowsIn = (db: Database, organizationId: number) =>
  db.selectFrom('feeds').where('organization_id', '=', organizationId);

/** Feeds of an organization by name, and how many there are on all pages. */
export const listFeeds = (
  db: Database,
  organizationId: number,
  query: Paging & { search?: string },
): Promise<{ rows: FeedRow[]; total: number }> => listByName(db, 'feeds', organizationId, query);

export async function findFeed(db: Database, organizationId: number, id: number): Promise<FeedRow | undefined> {
  return rowsIn(db, organizationId).selectAll().where('id', '=', id).executeTakeFirst();
}

/** Like `findFeed`, and locks the row until the transaction ends. */
export async function lockFeed(db: Database, organizationId: number, id: number): Promise<FeedRow | undefined> {
  return forUpdate(db, rowsIn(db, organizationId).selectAll().where('id', '=', id)).executeTakeFirst();
}

/**
 * Takes the state that a redirect brought back: it is of use once, to the organization that it was made for, until it
 * ends.
 * @param hash of the state
 * @param now stamp
 */
export async function takeConnection(
  db: Database,
  organizationId: number,
  hash: string,
  now: string,
): Promise<FeedRow | undefined> {
  return db
    .updateTable('feeds')
    .set({ connect_hash: null, connect_expires_at: null })
    .where('organization_id', '=', organizationId)
    .where('connect_hash', '=', hash)
    .where('connect_expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();
}

export async function insertFeed(db: Database, values: Insertable<FeedTable>): Promise<FeedRow> {
  return db.insertInto('feeds').values(values).returningAll().executeTakeFirstOrThrow();
}

export async function updateFeed(db: Database, id: number, values: Updateable<FeedTable>): Promise<void> {
  await db.updateTable('feeds').set(values).where('id', '=', id).execute();
}

export async function deleteFeed(db: Database, id: number): Promise<void> {
  await db.deleteFrom('feeds').where('id', '=', id).execute();
}
