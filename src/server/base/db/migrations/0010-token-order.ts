import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Codes are compared by their bytes, on both databases: no language's order is needed to find one, and it takes longer. */
export const tokenOrder: Migration = {
  up: async (db: Kysely<unknown>) => {
    if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
    await db.schema.dropIndex('access_tokens_endpoint_id_token').execute();
    await sql`
      create unique index access_tokens_endpoint_id_token on access_tokens (endpoint_id, token collate "C")
    `.execute(db);
  },
};
