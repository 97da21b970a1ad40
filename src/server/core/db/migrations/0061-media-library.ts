import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor, required } from './columns.ts';

/** Folders for files, and earlier versions of replaced files. */
export const mediaLibrary: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { owned, index, integer, refers } = columnsFor(db);
    await owned('media_folders')
      .addColumn('parent_id', integer, refers('media_folders', 'restrict', false))
      .addColumn('name', 'text', required)
      .execute();
    await index('media_folders', ['organization_id', 'parent_id']);
    await index('media_folders', ['parent_id']);
    await db.schema
      .alterTable('media')
      .addColumn('folder_id', integer, refers('media_folders', 'set null', false))
      .execute();
    await index('media', ['folder_id']);
    await index('media', ['organization_id', 'bytes', 'id']);
    await owned('media_versions')
      .addColumn('media_id', integer, refers('media', 'cascade'))
      .addColumn('user_id', integer, refers('users', 'set null', false))
      .addColumn('mime', 'text', required)
      .addColumn('bytes', integer, required)
      .addColumn('hash', 'text', required)
      .addColumn('entry', 'text', required)
      .addColumn('width', 'double precision')
      .addColumn('height', 'double precision')
      .addColumn('duration', 'double precision')
      .addColumn('details', 'text', required)
      .addColumn('photo', 'text')
      .addColumn('original_hash', 'text')
      .addColumn('original_bytes', integer)
      .addColumn('original_name', 'text')
      .addColumn('stripping', 'text')
      .execute();
    await index('media_versions', ['media_id']);
    await index('media_versions', ['organization_id']);
    await index('media_versions', ['user_id']);
    await index('media_versions', ['hash']);
  },
};
