import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor } from './columns.ts';

/** 360° videos of templates. */
export const templateVideos: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { integer, refers } = columnsFor(db);
    await db.schema
      .alterTable('templates')
      .addColumn('video_file_id', integer, refers('media', 'restrict', false))
      .execute();
  },
};
