import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor, required, zero } from './columns.ts';

/** Sheets of small images, packed from these tables. */
export const imageSheets: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { integer, refers, table, index } = columnsFor(db);
    await table('image_sheets')
      .addColumn('organization_id', integer, refers('organizations', 'cascade'))
      .addColumn('hash', 'text', required)
      .addColumn('bytes', integer)
      .addColumn('used_at', 'text', required)
      .addColumn('attempts', 'integer', zero)
      .addColumn('next_at', 'text')
      .execute();
    await index('image_sheets', ['hash'], true);
    await index('image_sheets', ['organization_id']);
    await index('image_sheets', ['used_at']);
    await sql`create index image_sheets_next_at on image_sheets (next_at) where next_at is not null`.execute(db);
    await table('image_sheet_files')
      .addColumn('sheet_id', integer, refers('image_sheets', 'cascade'))
      .addColumn('position', 'integer', required)
      .addColumn('hash', 'text', required)
      .addColumn('entry', 'text', required)
      .execute();
    await index('image_sheet_files', ['sheet_id', 'position'], true);
    await index('image_sheet_files', ['hash']);
  },
};
