import { type Kysely, PostgresAdapter } from 'kysely';
import type { Migration } from 'kysely/migration';
import { installTokenSearch } from '../token-search/token-search.ts';

/** What finds access tokens by any part of them in PostgreSQL, where its extension may be added. SQLite has a file for it. */
export const tokenSearch: Migration = {
  up: async (db: Kysely<unknown>) => {
    if (db.getExecutor().adapter instanceof PostgresAdapter) await installTokenSearch(db);
  },
};
