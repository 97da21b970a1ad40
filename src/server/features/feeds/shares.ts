import { sql } from 'kysely';
import type { Share, ShareState } from '../../../contract/entities.ts';
import { emptyBin } from '../../core/changes/change-log.ts';
import { type Author, recordChange } from '../../core/changes/record-change.ts';
import { timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { forUpdate } from '../../core/db/for-update.ts';
import { offsetOf, type Paging } from '../../core/db/paging.ts';
import { containsWords } from '../../core/db/search.ts';
import { mediaUrl } from '../../core/files/media-url.ts';
import type { Services } from '../../core/services.ts';
import { deleteMedia, findMedia } from '../media/queries.ts';
import { removeContents } from '../media/service.ts';
import { usesOf } from '../media-library/usage.ts';

/** Visitor messages: the items of local feeds. */
const sharesOf = (db: Database, organizationId: number) =>
  db
    .selectFrom('feed_items')
    .innerJoin('feeds', 'feeds.id', 'feed_items.feed_id')
    .where('feeds.organization_id', '=', organizationId)
    .where('feeds.type', '=', 'local');

/** Filters of a message list. */
interface ShareFilter {
  search?: string;
  feed_id?: number;
  state?: ShareState;
  /** Whether removed messages are included if no state is given. */
  withRemoved?: boolean;
  sort?: 'newest' | 'oldest' | 'name';
}

/** Messages that match a filter. */
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

/** Visitor messages of an organization, and the total over all pages. */
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

/** The visitor messages with these ids in an organization, with their images. */
export const findShares = (db: Database, organizationId: number, ids: readonly number[]) =>
  sharesOf(db, organizationId)
    .select(['feed_items.id', 'feed_items.media_id', 'feed_items.removed_at'])
    .where('feed_items.id', 'in', ids)
    .orderBy('feed_items.id')
    .execute();

/** Visitor messages created before a moment, oldest first, up to a limit. @param before stamp */
export const findOldShares = (db: Database, organizationId: number, before: string, limit: number) =>
  sharesOf(db, organizationId)
    .select(['feed_items.id', 'feed_items.media_id'])
    .where('feed_items.created_at', '<', before)
    .orderBy('feed_items.id')
    .limit(limit)
    .execute();

/** Messages removed before a moment, oldest first. @param before stamp */
export const findRemovedShares = (db: Database, organizationId: number, before: string, limit: number) =>
  sharesOf(db, organizationId)
    .select(['feed_items.id', 'feed_items.media_id'])
    .where('feed_items.removed_at', '<', before)
    .orderBy('feed_items.id')
    .limit(limit)
    .execute();

/** Messages of an organization, locked until the transaction ends. */
const lockShares = (db: Database, organizationId: number, ids: readonly number[]) =>
  forUpdate(
    db,
    db
      .selectFrom('feed_items')
      .select(['feed_items.id', 'feed_items.name', 'feed_items.state', 'feed_items.removed_at'])
      .where('feed_items.id', 'in', ids)
      .where('feed_items.feed_id', 'in', (query) =>
        query
          .selectFrom('feeds')
          .select('feeds.id')
          .where('feeds.organization_id', '=', organizationId)
          .where('feeds.type', '=', 'local'),
      )
      .orderBy('feed_items.id'),
  ).execute();

/**
 * Sets the state of visitor messages to shown, hidden or waiting; removed messages stay removed.
 * @returns the number of existing messages, and of changed ones
 */
export async function setShareStates(
  db: Database,
  author: Author,
  ids: readonly number[],
  state: Exclude<ShareState, 'removed'>,
): Promise<{ found: number; changed: number }> {
  const found = (await lockShares(db, author.organizationId, ids)).filter(({ removed_at }) => removed_at === null);
  const changing = found.filter((row) => row.state !== state);
  if (changing.length > 0)
    await db
      .updateTable('feed_items')
      .set({ state })
      .where(
        'id',
        'in',
        changing.map(({ id }) => id),
      )
      .execute();
  for (const { id, name, state: before } of changing) {
    const change = { action: 'update', entity: 'feed_item', entity_id: id, name } as const;
    await recordChange(db, author, { ...change, before: { state: before }, after: { state } });
  }
  return { found: found.length, changed: changing.length };
}

/**
 * Removes visitor messages; they stay in the bin for a while.
 * @returns the number of existing messages, and of those not removed before
 */
export async function removeShares(
  db: Database,
  author: Author,
  ids: readonly number[],
): Promise<{ found: number; changed: number }> {
  const found = await lockShares(db, author.organizationId, ids);
  const going = found.filter(({ removed_at }) => removed_at === null);
  if (going.length > 0)
    await db
      .updateTable('feed_items')
      .set({ removed_at: timestampOf(author.clock.now()) })
      .where(
        'id',
        'in',
        going.map(({ id }) => id),
      )
      .execute();
  for (const { id, name, state } of going)
    await recordChange(db, author, {
      ...{ action: 'delete', entity: 'feed_item', entity_id: id, name },
      before: { state },
      // The row itself stays until its bin entry expires.
      records: [{ kind: 'feed_items', action: 'delete', entity_id: id, name }],
      isRestorable: true,
    });
  return { found: found.length, changed: going.length };
}

/**
 * Restores removed messages.
 * @returns the number of existing messages, and of restored ones
 */
export async function restoreShares(
  db: Database,
  author: Author,
  ids: readonly number[],
): Promise<{ found: number; changed: number }> {
  // Lock bin entries before messages, as when restoring an entry, so that concurrent restores don't deadlock.
  await emptyBin(db, author.organizationId, { entities: ['feed_item'], entityIds: ids });
  const found = await lockShares(db, author.organizationId, ids);
  const gone = found.filter(({ removed_at }) => removed_at !== null);
  const back = gone.map(({ id }) => id);
  if (back.length > 0) await db.updateTable('feed_items').set({ removed_at: null }).where('id', 'in', back).execute();
  for (const { id, name, state } of gone)
    await recordChange(db, author, {
      ...{ action: 'restore', entity: 'feed_item', entity_id: id, name },
      after: { state },
    });
  return { found: found.length, changed: gone.length };
}

/** A visitor message and its image. */
interface SharedPicture {
  id: number;
  media_id: number | null;
}

/** Removes images that were only used by messages; images that administrators use elsewhere stay. */
async function removePictures(db: Database, organizationId: number, ids: readonly number[]): Promise<string[]> {
  const hashes: string[] = [];
  for (const id of ids) {
    if ((await usesOf(db, organizationId, id)).length > 0) continue;
    const row = await findMedia(db, organizationId, id);
    // An image that a user has uploaded too belongs to the user.
    if (row?.user_id === null) hashes.push(...(await deleteMedia(db, id)));
  }
  return hashes;
}

/**
 * Erases visitor messages and their otherwise unused images.
 * @param note records the removal in the same transaction
 */
export async function eraseShares(
  { db: database, media }: Pick<Services, 'db' | 'media'>,
  organizationId: number,
  shares: readonly SharedPicture[],
  note?: (db: Database) => Promise<void>,
): Promise<void> {
  if (shares.length === 0) return;
  const hashes = await database.transaction().execute(async (db) => {
    const ids = shares.map(({ id }) => id);
    await db.deleteFrom('feed_items').where('id', 'in', ids).execute();
    // Change log entries contain the names of the senders.
    await db
      .deleteFrom('changes')
      .where('organization_id', '=', organizationId)
      .where('entity', '=', 'feed_item')
      .where('entity_id', 'in', ids)
      .execute();
    await note?.(db);
    return removePictures(db, organizationId, [...new Set(shares.flatMap(({ media_id }) => media_id ?? []))]);
  });
  await removeContents({ db: database, media }, hashes);
}
