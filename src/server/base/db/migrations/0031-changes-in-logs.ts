import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor } from './columns.ts';

/** Which entry of a space's log a change of the space or of an element belongs to: the space before and after it can be had by that. */
export const changesInLogs: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { integer } = columnsFor(db);
    await db.schema.alterTable('changes').addColumn('seq', integer).execute();
  },
};
