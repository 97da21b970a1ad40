import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Organizations can publish an accessibility statement. */
export const statements: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .alterTable('organizations')
      .addColumn('statement', 'text', (column) => column.notNull().defaultTo('{}'))
      .execute();
  },
};
