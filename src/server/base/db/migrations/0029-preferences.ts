import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What each user has chosen for themselves in the back-office. */
export const preferences: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .alterTable('users')
      .addColumn('preferences', 'text', (column) => column.notNull().defaultTo('{}'))
      .execute();
  },
};
