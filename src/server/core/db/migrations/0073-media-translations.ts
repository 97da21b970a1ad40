import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Texts of files in several languages. */
export const mediaTranslations: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .alterTable('media')
      .addColumn('translations', 'text', (column) => column.notNull().defaultTo('{}'))
      .execute();
  },
};
