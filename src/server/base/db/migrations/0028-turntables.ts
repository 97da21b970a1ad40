import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor } from './columns.ts';

/** Posters of files of the media library: what a model looks like from all sides. */
export const turntables: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { integer, refers, index } = columnsFor(db);
    await db.schema
      .alterTable('posters')
      .addColumn('media_id', integer, refers('media', 'cascade', false))
      .execute();
    await index('posters', ['media_id'], true);
  },
};
