import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor, required, zero } from './columns.ts';

/** Addresses that are told what happens, and what they are to be told. */
export const webhooks: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { integer, refers, owned, table, index } = columnsFor(db);
    await owned('webhooks')
      .addColumn('name', 'text', required)
      .addColumn('url', 'text', required)
      .addColumn('events', 'text', required)
      .addColumn('sealed', 'text', required)
      .addColumn('is_paused', 'integer', zero)
      .addColumn('failing_since', 'text')
      .addColumn('disabled_at', 'text')
      .execute();
    await index('webhooks', ['organization_id', 'id']);
    await table('webhook_deliveries')
      .addColumn('organization_id', integer, refers('organizations', 'cascade'))
      .addColumn('webhook_id', integer, refers('webhooks', 'cascade'))
      .addColumn('message_id', 'text', required)
      .addColumn('event', 'text', required)
      .addColumn('payload', 'text', required)
      .addColumn('created_at', 'text', required)
      .addColumn('state', 'text', (column) => column.notNull().check(sql`state in ('waiting', 'delivered', 'failed')`))
      .addColumn('attempts', 'integer', zero)
      .addColumn('next_at', 'text')
      .addColumn('status', 'integer')
      .addColumn('answer', 'text', required)
      .execute();
    await index('webhook_deliveries', ['webhook_id', 'id']);
    await index('webhook_deliveries', ['organization_id', 'created_at']);
    await sql`create index webhook_deliveries_due on webhook_deliveries (next_at) where state = 'waiting'`.execute(db);
    await table('structure_visits')
      .addColumn('organization_id', integer, refers('organizations', 'cascade'))
      .addColumn('endpoint_id', integer, refers('endpoints', 'cascade'))
      .addColumn('at', 'text', required)
      .execute();
    await index('structure_visits', ['endpoint_id'], true);
  },
};
