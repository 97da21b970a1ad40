import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Indexes from which access tokens come by their first use and by their end, of an organization or of one structure. Tokens
 * without the moment are in neither, so that adding many costs no more than before.
 */
export const tokenLists: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const owner of ['organization_id', 'endpoint_id'])
      for (const moment of ['first_used_at', 'valid_till'])
        await sql`
          create index ${sql.ref(`access_tokens_${owner}_${moment}`)}
          on access_tokens (${sql.ref(owner)}, ${sql.ref(moment)}, id) where ${sql.ref(moment)} is not null
        `.execute(db);
  },
};
