import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Work queues share their columns: the end of a lease is the next attempt. */
export const queues: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`update poster_drawings set next_at = taken_till where taken_till is not null`.execute(db);
    await db.schema.alterTable('poster_drawings').dropColumn('taken_till').execute();
    await db.schema.dropIndex('webhook_deliveries_due').execute();
    for (const table of ['poster_drawings', 'webhook_deliveries'])
      await sql`create index ${sql.ref(`${table}_next_at`)} on ${sql.table(table)} (next_at) where next_at is not null`.execute(
        db,
      );
  },
};
