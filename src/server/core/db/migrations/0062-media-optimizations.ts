import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor, required, zero } from './columns.ts';

/** Lighter versions of files, made from this table. */
export const mediaOptimizations: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { integer, refers, table, index } = columnsFor(db);
    await table('media_optimizations')
      .addColumn('organization_id', integer, refers('organizations', 'cascade'))
      .addColumn('media_id', integer, refers('media', 'cascade'))
      .addColumn('hash', 'text', required)
      .addColumn('entry', 'text', required)
      .addColumn('state', 'text', required)
      .addColumn('reason', 'text', required)
      .addColumn('bytes', integer)
      .addColumn('gpu_bytes_before', integer)
      .addColumn('gpu_bytes', integer)
      .addColumn('versions', 'text', required)
      .addColumn('attempts', 'integer', zero)
      .addColumn('next_at', 'text')
      .execute();
    await index('media_optimizations', ['media_id'], true);
    await index('media_optimizations', ['organization_id']);
    await sql`create index media_optimizations_next_at on media_optimizations (next_at) where next_at is not null`.execute(
      db,
    );
  },
};
