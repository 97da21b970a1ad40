import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Images keep the direction, position and time that their camera recorded. */
export const photos: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('media').addColumn('photo', 'text').execute();
  },
};
