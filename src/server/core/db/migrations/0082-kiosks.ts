import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor } from './columns.ts';

/** Structures that run as kiosks. */
export const kiosks: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { integer } = columnsFor(db);
    await db.schema.alterTable('endpoints').addColumn('kiosk_seconds', integer).execute();
  },
};
