import { type Kysely, PostgresAdapter } from 'kysely';
import type { Migration } from 'kysely/migration';
import { installTokenSearch } from '../token-search/token-search.ts';

/** PostgreSQL's substring search for access tokens, if its extension can be installed. SQLite uses a separate file. */
export const tokenSearch: Migration = {
  up: async (db: Kysely<unknown>) => {
    if (db.getExecutor().adapter instanceof PostgresAdapter) await installTokenSearch(db);
  },
};
