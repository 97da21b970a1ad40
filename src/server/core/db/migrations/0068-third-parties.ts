import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Organizations can ask visitors before third-party content loads, and allow a tag manager on their pages. */
export const thirdParties: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .alterTable('organizations')
      .addColumn('third_parties', 'text', (column) => column.notNull().defaultTo('specified'))
      .execute();
    await db.schema
      .alterTable('organizations')
      .addColumn('tag_manager_id', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
  },
};
