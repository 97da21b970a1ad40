import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Organizations put words of their own in place of the viewer's. */
export const ownTexts: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .alterTable('organizations')
      .addColumn('texts', 'text', (column) => column.notNull().defaultTo('{}'))
      .execute();
  },
};
