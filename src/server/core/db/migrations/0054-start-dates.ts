import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Structures can start on a date, not only daily. */
export const startDates: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('endpoints').addColumn('start_date', 'text').execute();
  },
};
