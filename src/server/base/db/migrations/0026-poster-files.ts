import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor, required } from './columns.ts';

/** Images of posters stand in the storage of files: which ones, and until when they are needed in any case. */
export const posterFiles: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { integer, refers, owned, index } = columnsFor(db);
    await owned('poster_files')
      .addColumn('hash', 'text', required)
      .addColumn('bytes', integer, required)
      .addColumn('needed_until', 'text', required)
      .execute();
    await index('poster_files', ['organization_id', 'hash'], true);
    await index('poster_files', ['hash']);
    await index('poster_files', ['needed_until']);
    await db.schema
      .alterTable('posters')
      .addColumn('file_id', integer, refers('poster_files', 'set null', false))
      .execute();
    await index('posters', ['file_id']);
  },
};
