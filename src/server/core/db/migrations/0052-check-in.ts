import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor, required } from './columns.ts';

/** Links with which staff check in the holders of a structure's access tokens. */
export const checkIn: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { owned, index, integer, refers } = columnsFor(db);
    await db.schema.alterTable('access_tokens').addColumn('checked_in_at', 'text').execute();
    await sql`
      create index access_tokens_checked_in_at on access_tokens (endpoint_id, checked_in_at)
      where checked_in_at is not null
    `.execute(db);
    await owned('check_in_links')
      .addColumn('endpoint_id', integer, refers('endpoints', 'cascade'))
      .addColumn('name', 'text', required)
      .addColumn('token_hash', 'text', (column) => column.notNull().unique())
      .addColumn('expires_at', 'text')
      .execute();
    await index('check_in_links', ['organization_id']);
    await index('check_in_links', ['endpoint_id']);
  },
};
