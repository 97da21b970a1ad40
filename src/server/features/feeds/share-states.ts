import type { ShareState } from '../../../contract/entities.ts';
import { emptyBin } from '../../core/changes/change-log.ts';
import { type Author, recordChange } from '../../core/changes/record-change.ts';
import { timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { forUpdate } from '../../core/db/for-update.ts';

/** Some messages of an organization, locked until the transaction ends. */
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
 * Shows messages of visitors, hides them, or lets them wait; those that were removed stay removed.
 * @returns how many of them there are, and how many are different now
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
 * Removes messages of visitors: the bin has them for a while.
 * @returns how many of them there are, and how many were not removed before
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
      // The row itself stays until its entry is over.
      records: [{ kind: 'feed_items', action: 'delete', entity_id: id, name }],
      isRestorable: true,
    });
  return { found: found.length, changed: going.length };
}

/**
 * Puts removed messages back as they were.
 * @returns how many of them there are, and how many were removed
 */
export async function restoreShares(
  db: Database,
  author: Author,
  ids: readonly number[],
): Promise<{ found: number; changed: number }> {
  // Entries before messages, as where an entry is restored: two that restore the same do not wait for each other.
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
