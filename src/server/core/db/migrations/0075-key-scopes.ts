import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** API keys have scopes; existing ones may do everything, as before. */
export const keyScopes: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .alterTable('api_keys')
      .addColumn('scopes', 'text', (column) => column.notNull().defaultTo('["write","publish","delete"]'))
      .execute();
  },
};
