import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor, required, zero } from './columns.ts';

/** Bulk actions and their progress. */
export const bulkJobs: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { table, index, integer, refers } = columnsFor(db);
    await table('bulk_jobs')
      .addColumn('organization_id', integer, refers('organizations', 'cascade'))
      .addColumn('user_id', integer, refers('users', 'cascade'))
      .addColumn('action', 'text', required)
      .addColumn('total', 'integer', required)
      .addColumn('finished', 'integer', zero)
      .addColumn('changed', 'text', required)
      .addColumn('problems', 'text', required)
      .addColumn('state', 'text', required)
      .addColumn('touched_at', 'text', required)
      .execute();
    await index('bulk_jobs', ['organization_id']);
    await index('bulk_jobs', ['user_id']);
    await index('bulk_jobs', ['touched_at']);
  },
};
