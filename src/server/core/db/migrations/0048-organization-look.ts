import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor } from './columns.ts';

/** Organizations have a logo, and a color for the controls on their visitors' pages. */
export const organizationLook: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { integer, refers } = columnsFor(db);
    const table = () => db.schema.alterTable('organizations');
    await table()
      .addColumn('logo_file_id', integer, refers('media', 'restrict', false))
      .execute();
    await table().addColumn('accent_color', 'text').execute();
  },
};
