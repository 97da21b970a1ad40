import type { Share } from '../../../contract/entities.ts';
import type { Database } from '../../base/db/database.ts';
import { offsetOf, type Paging } from '../../base/db/paging.ts';
import { containsWords } from '../../base/db/search.ts';
import { mediaUrl } from '../../storage/media-url.ts';

/** What visitors shared: messages of local feeds. */
const sharesOf = (db: Database, organizationId: number) =>
  db
    .selectFrom('feed_items')
    .innerJoin('feeds', 'feeds.id', 'feed_items.feed_id')
    .where('feeds.organization_id', '=', organizationId)
    .where('feeds.type', '=', 'local');

/** Messages of an organization's visitors, newest first, and how many there are on all pages. */
export async function listShares(
  db: Database,
  organizationId: number,
  query: Paging & { search?: string },
): Promise<{ shares: Share[]; total: number }> {
  const { search } = query;
  let found = sharesOf(db, organizationId);
  if (search)
    found = found.where((where) =>
      where.or([containsWords('feed_items.name', search), containsWords('feed_items.message', search)]),
    );
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await found
    .leftJoin('media', 'media.id', 'feed_items.media_id')
    .select(['feed_items.id', 'feed_items.name', 'feed_items.message', 'feed_items.created_at'])
    .select(['feeds.id as feed_id', 'feeds.name as feed_name', 'media.hash', 'media.entry'])
    .orderBy('feed_items.created_at', 'desc')
    .orderBy('feed_items.id', 'desc')
    .limit(query.per_page)
    .offset(offsetOf(query))
    .execute();
  const shares = rows.map(({ feed_id, feed_name, hash, entry, ...row }) => ({
    ...row,
    feed: { id: feed_id, name: feed_name },
    file_url: hash !== null && entry !== null ? mediaUrl({ hash, entry }) : '',
  }));
  return { shares, total: Number(total) };
}

/** Those of these messages that an organization's visitors shared, with their pictures. */
export const findShares = (db: Database, organizationId: number, ids: readonly number[]) =>
  sharesOf(db, organizationId)
    .select(['feed_items.id', 'feed_items.media_id'])
    .where('feed_items.id', 'in', ids)
    .orderBy('feed_items.id')
    .execute();

/** Some of the messages that visitors shared before a moment, oldest first. @param before stamp */
export const findOldShares = (db: Database, organizationId: number, before: string, limit: number) =>
  sharesOf(db, organizationId)
    .select(['feed_items.id', 'feed_items.media_id'])
    .where('feed_items.created_at', '<', before)
    .orderBy('feed_items.id')
    .limit(limit)
    .execute();
