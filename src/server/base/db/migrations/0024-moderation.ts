import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor } from './columns.ts';

/** What visitors share is shown, hidden, waits for approval, or is removed for a while; feeds say which of it waits. */
export const moderation: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { index } = columnsFor(db);
    await db.schema
      .alterTable('feed_items')
      .addColumn('state', 'text', (column) =>
        column.notNull().defaultTo('shown').check(sql`state in ('shown', 'hidden', 'waiting')`),
      )
      .execute();
    await db.schema
      .alterTable('feed_items')
      .addColumn('held_because', 'text', (column) => column.check(sql`held_because in ('approval', 'word', 'proof')`))
      .execute();
    await db.schema.alterTable('feed_items').addColumn('held_word', 'text').execute();
    await db.schema.alterTable('feed_items').addColumn('removed_at', 'text').execute();
    await index('feed_items', ['feed_id', 'state', 'created_at']);
    await sql`create index feed_items_held on feed_items (media_id) where state <> 'shown'`.execute(db);
    await sql`create index feed_items_removed on feed_items (removed_at) where removed_at is not null`.execute(db);
    await db.schema
      .alterTable('feeds')
      .addColumn('moderation', 'text', (column) => column.notNull().defaultTo('{}'))
      .execute();
    await db.schema.alterTable('feeds').addColumn('notified_at', 'text').execute();
  },
};
