import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Milliseconds after the end of an hour until its events are counted completely. */
const LATE = 10 * 60 * 1000;

/** The first hour with possibly incomplete figures; null if nothing has been counted yet. */
async function uncountedFrom(db: Kysely<unknown>): Promise<string | null> {
  const { rows } = await sql<{ value: string }>`
    select value from installation_notes where name = 'statistics'
  `.execute(db);
  if (!rows[0]) return null;
  const { at } = JSON.parse(rows[0].value) as { at: string };
  return new Date(Date.parse(at) - LATE).toISOString().slice(0, 13);
}

/** Events are added to their hour's figures in slices, once each; equal events are one row with a count. */
export const statisticsInSlices: Migration = {
  up: async (db: Kysely<unknown>) => {
    const events = db.schema.alterTable('statistics_events');
    await events.addColumn('count', 'integer', (column) => column.notNull().defaultTo(1)).execute();
    await events.addColumn('is_counted', 'integer', (column) => column.notNull().defaultTo(0)).execute();
    const from = await uncountedFrom(db);
    if (from !== null) {
      await sql`update statistics_events set is_counted = 1 where at < ${from}`.execute(db);
      await sql`delete from statistics_hours where hour >= ${from}`.execute(db);
      await sql`delete from installation_notes where name = 'statistics'`.execute(db);
    }
    await sql`create index statistics_events_uncounted on statistics_events (id) where is_counted = 0`.execute(db);
    await sql`
      create index statistics_events_visitor on statistics_events (visitor, at) where visitor is not null
    `.execute(db);
    await db.schema
      .createIndex('statistics_hours_figure')
      .on('statistics_hours')
      .columns(['hour', 'organization_id', 'endpoint_id', 'kind', 'subject', 'other_id'])
      .unique()
      .execute();
  },
};
