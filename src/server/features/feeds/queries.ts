import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { FEED_ORDERS } from '../../../contract/calls/feeds.ts';
import { DEFAULT_MODERATION, type FeedItem, type Moderation } from '../../../contract/entities.ts';
import { type NewRecord, removedRows } from '../../core/changes/records.ts';
import type { Database } from '../../core/db/database.ts';
import { forUpdate } from '../../core/db/for-update.ts';
import { listInOrder } from '../../core/db/list-in-order.ts';
import type { Paging } from '../../core/db/paging.ts';
import { MAX_ITEMS, type SourceItem } from '../../core/files/inspect/feeds/source-item.ts';
import { mediaUrl } from '../../core/files/media-url.ts';
import { SUSPENDED_IDS } from '../../core/organization-state.ts';
import type { FeedItemTable, FeedTable } from './table.ts';

export type FeedRow = Selectable<FeedTable>;

const rowsIn = (db: Database, organizationId: number) =>
  db.selectFrom('feeds').where('organization_id', '=', organizationId);

/** Feeds of an organization, by name by default, and the total over all pages. */
export const listFeeds = (
  db: Database,
  organizationId: number,
  query: Paging & { search?: string; sort?: (typeof FEED_ORDERS)[number] },
): Promise<{ rows: FeedRow[]; total: number }> =>
  listInOrder(db, 'feeds', organizationId, query, { orders: { type: sql.ref('type'), edited: sql.ref('updated_at') } });

export async function findFeed(db: Database, organizationId: number, id: number): Promise<FeedRow | undefined> {
  return rowsIn(db, organizationId).selectAll().where('id', '=', id).executeTakeFirst();
}

/** Like `findFeed`, but locks the row until the transaction ends. */
export async function lockFeed(db: Database, organizationId: number, id: number): Promise<FeedRow | undefined> {
  return forUpdate(db, rowsIn(db, organizationId).selectAll().where('id', '=', id)).executeTakeFirst();
}

/**
 * Consumes the state returned by a redirect: it is valid once, for its organization, until it
 * expires.
 * @param hash hash of the state
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

const itemsOf = (db: Database, feedId: number) =>
  db
    .selectFrom('feed_items')
    .leftJoin('media', 'media.id', 'feed_items.media_id')
    .selectAll('feed_items')
    .select(['media.hash', 'media.entry', 'media.width as media_width', 'media.height as media_height'])
    .where('feed_items.feed_id', '=', feedId)
    .where('feed_items.removed_at', 'is', null);

type JoinedItem = Awaited<ReturnType<ReturnType<typeof itemsOf>['execute']>>[number];

const asItem = (row: JoinedItem): FeedItem => ({
  id: row.id,
  name: row.name,
  message: row.message,
  file_url: row.hash !== null && row.entry !== null ? mediaUrl({ hash: row.hash, entry: row.entry }) : row.file_url,
  width: row.media_width ?? row.width,
  height: row.media_height ?? row.height,
  link: row.link,
  created_at: row.created_at,
});

/** Visible items of a feed, newest first. */
export async function listItems(db: Database, feedId: number): Promise<FeedItem[]> {
  const rows = await itemsOf(db, feedId)
    .where('feed_items.state', '=', 'shown')
    .orderBy('feed_items.created_at', 'desc')
    .orderBy('feed_items.id', 'desc')
    .limit(MAX_ITEMS)
    .execute();
  return rows.map(asItem);
}

/** Number of items of a feed that were not removed, and of those that wait for approval. */
interface ItemCounts {
  items: number;
  waiting: number;
}

/** Item counts by feed; feeds without items are missing. */
export async function countItems(db: Database, feedIds: readonly number[]): Promise<ReadonlyMap<number, ItemCounts>> {
  if (feedIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('feed_items')
    .select(({ fn }) => ['feed_id', 'state', fn.countAll<number>().as('count')])
    .where('feed_id', 'in', feedIds)
    .where('removed_at', 'is', null)
    .groupBy(['feed_id', 'state'])
    .execute();
  const counts = new Map<number, ItemCounts>();
  for (const { feed_id, state, count } of rows) {
    const { items, waiting } = counts.get(feed_id) ?? { items: 0, waiting: 0 };
    const more = Number(count);
    counts.set(feed_id, { items: items + more, waiting: waiting + (state === 'waiting' ? more : 0) });
  }
  return counts;
}

/** Number of items added to a feed since a moment, including removed ones. @param since stamp */
export async function countItemsSince(db: Database, feedId: number, since: string): Promise<number> {
  const { count } = await db
    .selectFrom('feed_items')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('feed_id', '=', feedId)
    .where('created_at', '>=', since)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Number of items of a feed that were not removed, and the total bytes of their images. */
export async function measureItems(db: Database, feedId: number): Promise<{ items: number; bytes: number }> {
  const { items, bytes } = await db
    .selectFrom('feed_items')
    .leftJoin('media', 'media.id', 'feed_items.media_id')
    .select(({ fn }) => [fn.countAll<number>().as('items'), fn.sum<number | null>('media.bytes').as('bytes')])
    .where('feed_items.feed_id', '=', feedId)
    .where('feed_items.removed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return { items: Number(items), bytes: Number(bytes ?? 0) };
}

export async function insertItem(db: Database, values: Insertable<FeedItemTable>): Promise<FeedItem> {
  const { id } = await db.insertInto('feed_items').values(values).returning('id').executeTakeFirstOrThrow();
  return asItem(await itemsOf(db, values.feed_id).where('feed_items.id', '=', id).executeTakeFirstOrThrow());
}

/** Replaces the items of a feed by those of its source. Known items keep their id. */
export async function replaceItems(db: Database, feedId: number, items: readonly SourceItem[]): Promise<void> {
  const names = items.map(({ external_id }) => external_id);
  let gone = db.deleteFrom('feed_items').where('feed_id', '=', feedId);
  if (names.length > 0) gone = gone.where('external_id', 'not in', names);
  await gone.execute();
  for (const item of items)
    await db
      .insertInto('feed_items')
      .values({ ...item, feed_id: feedId, media_id: null })
      .onConflict((conflict) => conflict.columns(['feed_id', 'external_id']).doUpdateSet(item))
      .execute();
}

/** Feeds per query. */
const CHUNK = 500;

/** Content hashes of visible visitor images, by feed. */
export async function findSharedPictures(
  db: Database,
  feedIds: readonly number[],
): Promise<ReadonlyMap<number, string[]>> {
  const pictures = new Map<number, string[]>();
  for (let start = 0; start < feedIds.length; start += CHUNK) {
    const rows = await db
      .selectFrom('feed_items')
      .innerJoin('media', 'media.id', 'feed_items.media_id')
      .select(['feed_items.feed_id', 'media.hash'])
      .where('feed_items.feed_id', 'in', feedIds.slice(start, start + CHUNK))
      .where('feed_items.state', '=', 'shown')
      .where('feed_items.removed_at', 'is', null)
      .execute();
    for (const { feed_id, hash } of rows) pictures.set(feed_id, [...(pictures.get(feed_id) ?? []), hash]);
  }
  return pictures;
}

/**
 * Content hashes of images in messages that are not shown, by organization. Content that a user has uploaded too is
 * excluded: visitors can't hide it by sharing it.
 */
export async function findHeldPictures(db: Database): Promise<ReadonlyMap<number, string[]>> {
  const pictures = new Map<number, string[]>();
  // Separate queries, each with its own index.
  for (const isHeld of [sql<boolean>`feed_items.state <> 'shown'`, sql<boolean>`feed_items.removed_at is not null`]) {
    const rows = await db
      .selectFrom('feed_items')
      .innerJoin('media', 'media.id', 'feed_items.media_id')
      .select(['media.organization_id', 'media.hash'])
      .where(isHeld)
      .where('media.user_id', 'is', null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('media as own')
              .select('own.id')
              .whereRef('own.hash', '=', 'media.hash')
              .whereRef('own.organization_id', '=', 'media.organization_id')
              .where('own.user_id', 'is not', null),
          ),
        ),
      )
      .execute();
    for (const { organization_id, hash } of rows)
      pictures.set(organization_id, [...(pictures.get(organization_id) ?? []), hash]);
  }
  return pictures;
}

/** Records of the items of a removed feed. */
export async function* removedFeed(db: Database, feed: { id: number; name: string }): AsyncGenerator<NewRecord> {
  const items = await db.selectFrom('feed_items').selectAll().where('feed_id', '=', feed.id).orderBy('id').execute();
  if (items.length > 0) yield removedRows('feed_items', feed, items);
}

/** A feed with waiting items that nobody was notified of. */
export interface UntoldFeed {
  id: number;
  organization_id: number;
  name: string;
  moderation: string;
  notified_at: string | null;
  /** Number of waiting messages. */
  waiting: number;
}

/**
 * Feeds with waiting items that arrived after their last notification.
 * @param before stamp: feeds with a later notification are excluded
 * @param feedId only this feed
 */
export async function listUntold(db: Database, before: string, feedId?: number): Promise<UntoldFeed[]> {
  let feeds = db
    .selectFrom('feeds')
    .select(['id', 'organization_id', 'name', 'moderation', 'notified_at'])
    .where('type', '=', 'local')
    .where('organization_id', 'not in', SUSPENDED_IDS)
    .where((where) => where.or([where('notified_at', 'is', null), where('notified_at', '<=', before)]))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('feed_items')
          .select('feed_items.id')
          .whereRef('feed_items.feed_id', '=', 'feeds.id')
          .where('feed_items.state', '=', 'waiting')
          .where('feed_items.removed_at', 'is', null)
          .where((where) =>
            where.or([
              where('feeds.notified_at', 'is', null),
              where('feed_items.created_at', '>', where.ref('feeds.notified_at')),
            ]),
          ),
      ),
    );
  if (feedId !== undefined) feeds = feeds.where('id', '=', feedId);
  const found: UntoldFeed[] = [];
  for (const feed of await feeds.execute()) {
    const { waiting } = await db
      .selectFrom('feed_items')
      .select(({ fn }) => fn.countAll<number>().as('waiting'))
      .where('feed_id', '=', feed.id)
      .where('state', '=', 'waiting')
      .where('removed_at', 'is', null)
      .executeTakeFirstOrThrow();
    found.push({ ...feed, waiting: Number(waiting) });
  }
  return found;
}

/** Numbers of feeds with an unreadable source, and of shared items that wait for approval, of all organizations. */
export async function countFeeds(db: Database): Promise<{ failing: number; waiting: number }> {
  const { count: failing } = await db
    .selectFrom('feeds')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('problem', '<>', '')
    .executeTakeFirstOrThrow();
  const { count: waiting } = await db
    .selectFrom('feed_items')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    // Selects the partial index of held items.
    .where('state', '<>', 'shown')
    .where('state', '=', 'waiting')
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return { failing: Number(failing), waiting: Number(waiting) };
}

/** Claims the notification of a feed; false if another process has claimed it. @param at current stamp */
export async function claimNotification(db: Database, id: number, before: string, at: string): Promise<boolean> {
  const claimed = await db
    .updateTable('feeds')
    .set({ notified_at: at })
    .where('id', '=', id)
    .where((where) => where.or([where('notified_at', 'is', null), where('notified_at', '<=', before)]))
    .returning('id')
    .execute();
  return claimed.length > 0;
}

/** Releases the claim of a failed notification. @param at stamp of the claim */
export async function releaseNotification(db: Database, { id, notified_at }: UntoldFeed, at: string): Promise<void> {
  await db.updateTable('feeds').set({ notified_at }).where('id', '=', id).where('notified_at', '=', at).execute();
}

/** Which visitor messages of a feed need approval, and the notified addresses. */
export const moderationOf = ({ moderation }: { moderation: string }): Moderation => ({
  ...DEFAULT_MODERATION,
  ...JSON.parse(moderation),
});
