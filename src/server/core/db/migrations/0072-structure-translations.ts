import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Titles of structures in several languages. */
export const structureTranslations: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .alterTable('endpoints')
      .addColumn('translations', 'text', (column) => column.notNull().defaultTo('{}'))
      .execute();
  },
};
