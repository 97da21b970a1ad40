import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { FEED_ORDERS } from '../../../contract/calls/feeds.ts';
import type { Database } from '../../core/db/database.ts';
import { forUpdate } from '../../core/db/for-update.ts';
import { listInOrder } from '../../core/db/list-in-order.ts';
import type { Paging } from '../../core/db/paging.ts';
import type { FeedTable } from './table.ts';

export type FeedRow = Selectable<FeedTable>;

const rowsIn = (db: Database, organizationId: number) =>
  db.selectFrom('feeds').where('organization_id', '=', organizationId);

/** Feeds of an organization by name unless another order is asked for, and how many there are on all pages. */
export const listFeeds = (
  db: Database,
  organizationId: number,
  query: Paging & { search?: string; sort?: (typeof FEED_ORDERS)[number] },
): Promise<{ rows: FeedRow[]; total: number }> =>
  listInOrder(db, 'feeds', organizationId, query, { orders: { type: sql.ref('type'), edited: sql.ref('updated_at') } });

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
