import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Whether a file has been checked for metadata: files from before 0.15 were stored with it. */
export const strippedMedia: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('media').addColumn('stripping', 'text').execute();
    await db.schema.createIndex('media_stripping').on('media').columns(['stripping', 'id']).execute();
  },
};
