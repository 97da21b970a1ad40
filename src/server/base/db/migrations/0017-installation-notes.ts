import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor, required } from './columns.ts';

/** What is known of the whole installation: the check of its key, and its last backup. */
export const installationNotes: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { table, index } = columnsFor(db);
    await table('installation_notes')
      .addColumn('name', 'text', required)
      .addColumn('value', 'text', required)
      .addColumn('updated_at', 'text', required)
      .execute();
    await index('installation_notes', ['name'], true);
  },
};
