import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor, required } from './columns.ts';

/** Reusable blocks, and the places where elements use them. */
export const blocks: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { integer, refers, table, owned, index } = columnsFor(db);
    await owned('blocks')
      .addColumn('name', 'text', required)
      .addColumn('version', 'integer', required)
      .addColumn('element_count', 'integer', required)
      .execute();
    await index('blocks', ['organization_id', 'name']);
    await table('block_versions')
      .addColumn('organization_id', integer, refers('organizations', 'cascade'))
      .addColumn('block_id', integer, refers('blocks', 'cascade'))
      .addColumn('version', 'integer', required)
      .addColumn('content', 'text', required)
      .addColumn('file_ids', 'text', required)
      .execute();
    await index('block_versions', ['block_id', 'version'], true);
    await index('block_versions', ['organization_id']);
    // A removed block can be restored with its id.
    await db.schema.alterTable('elements').addColumn('block_id', integer).execute();
    await db.schema.alterTable('elements').addColumn('block_version', 'integer').execute();
    await sql`create index elements_block_id on elements (block_id, room_id) where block_id is not null`.execute(db);
  },
};
