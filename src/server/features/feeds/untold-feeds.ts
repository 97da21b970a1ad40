import type { Database } from '../../core/db/database.ts';

/** A feed in which something waits that nobody was told of. */
export interface UntoldFeed {
  id: number;
  organization_id: number;
  name: string;
  moderation: string;
  notified_at: string | null;
  /** How many messages wait in it. */
  waiting: number;
}

/**
 * Feeds in which something waits since they last told somebody.
 * @param before stamp: those that told somebody later are left out
 * @param feedId only this feed
 */
export async function listUntold(db: Database, before: string, feedId?: number): Promise<UntoldFeed[]> {
  let feeds = db
    .selectFrom('feeds')
    .select(['id', 'organization_id', 'name', 'moderation', 'notified_at'])
    .where('type', '=', 'local')
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

/** Takes it upon itself to tell of a feed; false where somebody else has done so. @param at stamp, now */
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

/** Lets a feed tell again what could not be told. @param at stamp that was written down for it */
export async function releaseNotification(db: Database, { id, notified_at }: UntoldFeed, at: string): Promise<void> {
  await db.updateTable('feeds').set({ notified_at }).where('id', '=', id).where('notified_at', '=', at).execute();
}
