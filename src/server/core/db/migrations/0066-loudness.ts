import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Measured loudness of audio and videos, and why there is none. */
export const loudness: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const table of ['media', 'media_versions'])
      for (const name of ['loudness', 'true_peak'])
        await db.schema.alterTable(table).addColumn(name, 'double precision').execute();
    await db.schema
      .alterTable('media_optimizations')
      .addColumn('loudness_reason', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
  },
};
