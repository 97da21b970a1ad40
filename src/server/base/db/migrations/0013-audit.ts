import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor, required } from './columns.ts';

/** Days for which the audit log is kept where nobody says otherwise. */
const AUDIT_DAYS = 365;

/** The audit log, and for how long it and what visitors shared are kept. */
export const audit: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { integer, refers, table, index } = columnsFor(db);
    await table('audit_events')
      .addColumn('organization_id', integer, refers('organizations', 'cascade'))
      .addColumn('at', 'text', required)
      .addColumn('event', 'text', required)
      .addColumn('user_id', integer, refers('users', 'set null', false))
      .addColumn('user_name', 'text', required)
      .addColumn('api_key', 'text', required)
      .addColumn('address', 'text', required)
      .addColumn('device', 'text', required)
      .addColumn('subject', 'text', required)
      .addColumn('details', 'text', required)
      .execute();
    await index('audit_events', ['organization_id', 'id']);
    await index('audit_events', ['user_id']);
    await index('audit_events', ['at']);
    await db.schema
      .alterTable('organizations')
      .addColumn('audit_days', 'integer', (column) => column.notNull().defaultTo(AUDIT_DAYS))
      .execute();
    await db.schema.alterTable('organizations').addColumn('shares_days', 'integer').execute();
  },
};
