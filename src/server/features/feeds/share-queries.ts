import { sql } from 'kysely';
import type { Share, ShareState } from '../../../contract/entities.ts';
import type { Database } from '../../core/db/database.ts';
import { offsetOf, type Paging } from '../../core/db/paging.ts';
import { containsWords } from '../../core/db/search.ts';
import { mediaUrl } from '../../core/files/media-url.ts';

/** What visitors shared: messages of local feeds. */
const sharesOf = (db: Database, organizationId: number) =>
  db
    .selectFrom('feed_items')
    .innerJoin('feeds', 'feeds.id', 'feed_items.feed_id')
    .where('feeds.organization_id', '=', organizationId)
    .where('feeds.type', '=', 'local');

/** Which messages a list is asked for. */
export interface ShareFilter {
  search?: string;
  feed_id?: number;
  state?: ShareState;
  /** Whether those that were removed are listed where no state is asked for. */
  withRemoved?: boolean;
  sort?: 'newest' | 'oldest' | 'name';
}

/** Messages that a filter leaves. */
function filteredShares(db: Database, organizationId: number, filter: ShareFilter) {
  const { search, feed_id, state, withRemoved = false } = filter;
  let found = sharesOf(db, organizationId);
  if (search)
    found = found.where((where) =>
      where.or([containsWords('feed_items.name', search), containsWords('feed_items.message', search)]),
    );
  if (feed_id !== undefined) found = found.where('feeds.id', '=', feed_id);
  if (state === 'removed') found = found.where('feed_items.removed_at', 'is not', null);
  else if (state !== undefined || !withRemoved) found = found.where('feed_items.removed_at', 'is', null);
  if (state !== undefined && state !== 'removed') found = found.where('feed_items.state', '=', state);
  return found;
}

/** Messages of an organization's visitors, and how many there are on all pages. */
export async function listShares(
  db: Database,
  organizationId: number,
  query: Paging & ShareFilter,
): Promise<{ shares: Share[]; total: number }> {
  const found = filteredShares(db, organizationId, query);
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const { sort = 'newest' } = query;
  const order = sort === 'newest' ? 'desc' : 'asc';
  let rowsOf = found
    .leftJoin('media', 'media.id', 'feed_items.media_id')
    .select(['feed_items.id', 'feed_items.name', 'feed_items.message', 'feed_items.created_at'])
    .select(['feed_items.state', 'feed_items.held_because', 'feed_items.held_word', 'feed_items.removed_at'])
    .select(['feeds.id as feed_id', 'feeds.name as feed_name', 'media.hash', 'media.entry']);
  if (sort === 'name') rowsOf = rowsOf.orderBy(sql`lower(feed_items.name)`);
  const rows = await rowsOf
    .orderBy('feed_items.created_at', order)
    .orderBy('feed_items.id', order)
    .limit(query.per_page)
    .offset(offsetOf(query))
    .execute();
  const shares = rows.map(({ feed_id, feed_name, hash, entry, state, held_because, removed_at, ...row }) => ({
    ...row,
    feed: { id: feed_id, name: feed_name },
    file_url: hash !== null && entry !== null ? mediaUrl({ hash, entry }) : '',
    state: removed_at === null ? (state as ShareState) : 'removed',
    held_because: held_because as Share['held_because'],
  }));
  return { shares, total: Number(total) };
}

/** Those of these messages that an organization's visitors shared, with their pictures. */
export const findShares = (db: Database, organizationId: number, ids: readonly number[]) =>
  sharesOf(db, organizationId)
    .select(['feed_items.id', 'feed_items.media_id', 'feed_items.removed_at'])
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

/** Messages that were removed before a moment, oldest first. @param before stamp */
export const findRemovedShares = (db: Database, organizationId: number, before: string, limit: number) =>
  sharesOf(db, organizationId)
    .select(['feed_items.id', 'feed_items.media_id'])
    .where('feed_items.removed_at', '<', before)
    .orderBy('feed_items.id')
    .limit(limit)
    .execute();
