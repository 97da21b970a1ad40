import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor, required, zero } from './columns.ts';

/** Suspended and deleted organizations, further host names, and monthly usage, which outlives its organization. */
export const organizationLifeCycle: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { owned, table, integer, index } = columnsFor(db);
    for (const column of ['suspended_at', 'delete_after'])
      await db.schema.alterTable('organizations').addColumn(column, 'text').execute();
    await owned('organization_hosts')
      .addColumn('host', 'text', (column) => column.notNull().unique())
      .execute();
    await index('organization_hosts', ['organization_id']);
    await table('organization_months')
      .addColumn('organization_id', integer, required)
      .addColumn('month', 'text', required)
      .addColumn('storage', integer, zero)
      .addColumn('visits', integer, zero)
      .addColumn('active_users', integer, zero)
      .addColumn('seats', integer, zero)
      .addColumn('emails', integer, zero)
      .addColumn('updated_at', 'text', required)
      .execute();
    await index('organization_months', ['month', 'organization_id'], true);
  },
};
