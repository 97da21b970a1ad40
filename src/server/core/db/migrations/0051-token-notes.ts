import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Access tokens have a note, a group and the time of their last use; bulk jobs record when they started. */
export const tokenNotes: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const column of ['note', 'group_name', 'last_used_at'])
      await db.schema.alterTable('access_tokens').addColumn(column, 'text').execute();
    // Most tokens have neither, so imports of plain tokens don't slow down.
    await sql`create index access_tokens_note on access_tokens (endpoint_id, id) where note is not null`.execute(db);
    await sql`
      create index access_tokens_group_name on access_tokens (organization_id, group_name) where group_name is not null
    `.execute(db);
    await db.schema.alterTable('bulk_jobs').addColumn('started_at', 'text').execute();
  },
};
