import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Users can be limited to some folders and structures. */
export const userLimits: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('users').addColumn('limits', 'text').execute();
  },
};
