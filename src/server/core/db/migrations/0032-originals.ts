import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor } from './columns.ts';

/** The original upload behind a file of the media library. Files of earlier versions have none. */
export const originals: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { integer } = columnsFor(db);
    await db.schema.alterTable('media').addColumn('original_hash', 'text').execute();
    await db.schema.alterTable('media').addColumn('original_bytes', integer).execute();
    await db.schema.alterTable('media').addColumn('original_name', 'text').execute();
  },
};
