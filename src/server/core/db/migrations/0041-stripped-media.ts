import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Whether metadata of a file has been looked for: files of before 0.15 were stored with it. */
export const strippedMedia: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('media').addColumn('stripping', 'text').execute();
    await db.schema.createIndex('media_stripping').on('media').columns(['stripping', 'id']).execute();
  },
};
