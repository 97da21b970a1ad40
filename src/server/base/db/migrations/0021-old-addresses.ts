import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor, required } from './columns.ts';

/** Addresses that structures had, which lead to where they are now. */
export const oldAddresses: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { integer, refers, owned, index } = columnsFor(db);
    await owned('endpoint_addresses')
      .addColumn('endpoint_id', integer, refers('endpoints', 'cascade'))
      .addColumn('path', 'text', required)
      .execute();
    await index('endpoint_addresses', ['organization_id', 'path'], true);
    await index('endpoint_addresses', ['endpoint_id']);
  },
};
