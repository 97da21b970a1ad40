import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What says who did it keeps that person's name when the user is removed. */
export const authorNames: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const name of ['changes', 'imports', 'revisions'])
      await db.schema.alterTable(name).addColumn('author_name', 'text').execute();
  },
};
