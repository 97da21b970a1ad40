import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Files have a detailed description and a transcript. */
export const longTexts: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const name of ['long_description', 'transcript'])
      await db.schema
        .alterTable('media')
        .addColumn(name, 'text', (column) => column.notNull().defaultTo(''))
        .execute();
  },
};
