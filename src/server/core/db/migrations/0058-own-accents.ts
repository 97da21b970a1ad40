import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Templates and structures can have an accent color of their own. */
export const ownAccents: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const table of ['endpoints', 'templates'])
      await db.schema.alterTable(table).addColumn('accent_color', 'text').execute();
  },
};
