import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor, required } from './columns.ts';

/** Imports that were done: to answer a repeated request, and to take one back. */
export const imports: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { integer, refers, table, index } = columnsFor(db);
    await table('imports')
      .addColumn('organization_id', integer, refers('organizations', 'cascade'))
      .addColumn('user_id', integer, refers('users', 'set null', false))
      .addColumn('at', 'text', required)
      .addColumn('kind', 'text', required)
      .addColumn('idempotency_key', 'text')
      .addColumn('request_hash', 'text', required)
      .addColumn('answer', 'text', required)
      .addColumn('content', 'text')
      .addColumn('undone_at', 'text')
      .execute();
    await index('imports', ['organization_id', 'id']);
    await index('imports', ['organization_id', 'user_id', 'idempotency_key'], true);
    await index('imports', ['user_id']);
    await index('imports', ['at']);
  },
};
