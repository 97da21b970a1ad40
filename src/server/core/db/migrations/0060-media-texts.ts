import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { type Build, columnsFor, zero } from './columns.ts';

const TEXTS = ['title', 'description', 'creator', 'credit', 'rights', 'date', 'alt'];

const emptyText =
  (value: string): Build =>
  (column) =>
    column.notNull().defaultTo(value);

/** Files have texts, read from their metadata; organizations limit the originals that are stored. */
export const mediaTexts: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { integer } = columnsFor(db);
    const media = () => db.schema.alterTable('media');
    for (const name of TEXTS) await media().addColumn(name, 'text', emptyText('')).execute();
    await media().addColumn('keywords', 'text', emptyText('[]')).execute();
    await media().addColumn('texts_read', integer, zero).execute();
    await db.schema.alterTable('organizations').addColumn('originals_megabytes', integer).execute();
  },
};
