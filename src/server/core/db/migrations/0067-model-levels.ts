import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Levels of detail of models. */
export const modelLevels: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('media_optimizations').addColumn('levels', 'text').execute();
  },
};
