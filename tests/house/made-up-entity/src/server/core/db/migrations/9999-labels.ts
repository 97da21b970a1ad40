import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor, required } from './columns.ts';

export const labels: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { owned, index } = columnsFor(db);
    await owned('labels')
      .addColumn('name', 'text', required)
      .addColumn('color', 'text', required)
      .addColumn('note', 'text', required)
      .execute();
    await index('labels', ['organization_id', 'id']);
  },
};
