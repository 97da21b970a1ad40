import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor, required } from './columns.ts';

/** Folders for spaces. */
export const folders: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { owned, index, integer, refers } = columnsFor(db);
    await owned('folders')
      .addColumn('parent_id', integer, refers('folders', 'restrict', false))
      .addColumn('name', 'text', required)
      .execute();
    await index('folders', ['organization_id', 'parent_id']);
    await index('folders', ['parent_id']);
    await db.schema
      .alterTable('rooms')
      .addColumn('folder_id', integer, refers('folders', 'set null', false))
      .execute();
    await index('rooms', ['folder_id']);
  },
};
