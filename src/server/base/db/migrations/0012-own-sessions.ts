import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Users see where they are signed in. What was signed in before began, as far as is known, with the token that it has. */
export const ownSessions: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const column of ['signed_in_at', 'last_used_at', 'device', 'address'])
      await db.schema
        .alterTable('sessions')
        .addColumn(column, 'text', (text) => text.notNull().defaultTo(''))
        .execute();
    await sql`update sessions set signed_in_at = created_at, last_used_at = created_at`.execute(db);
  },
};
