import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor, required, zero } from './columns.ts';

/** Access tokens, the visits that they open, tickets for downloads, and the count of a room's changes. */
export const accessTokens: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { integer, refers, table, owned, index } = columnsFor(db);

    await owned('access_tokens')
      .addColumn('endpoint_id', integer, refers('endpoints', 'cascade'))
      .addColumn('token', 'text', required)
      .addColumn('valid_from', 'text')
      .addColumn('valid_till', 'text')
      .addColumn('valid_duration', 'integer')
      .addColumn('first_used_at', 'text')
      .addCheckConstraint('access_tokens_token', sql`length(token) > 0`)
      .addCheckConstraint('access_tokens_duration', sql`valid_duration >= 5`)
      .execute();
    await index('access_tokens', ['endpoint_id', 'token'], true);
    await index('access_tokens', ['endpoint_id', 'id']);
    await index('access_tokens', ['organization_id', 'id']);

    await table('visitor_sessions')
      .addColumn('endpoint_id', integer, refers('endpoints', 'cascade'))
      .addColumn('access_token_id', integer, refers('access_tokens', 'cascade'))
      .addColumn('token_hash', 'text', (column) => column.notNull().unique())
      .addColumn('created_at', 'text', required)
      .addColumn('expires_at', 'text', required)
      .execute();
    await index('visitor_sessions', ['access_token_id']);
    await index('visitor_sessions', ['endpoint_id']);
    await index('visitor_sessions', ['expires_at']);

    await table('export_tickets')
      .addColumn('endpoint_id', integer, refers('endpoints', 'cascade'))
      .addColumn('user_id', integer, refers('users', 'cascade'))
      .addColumn('family', 'text', required)
      .addColumn('token_hash', 'text', (column) => column.notNull().unique())
      .addColumn('expires_at', 'text', required)
      .execute();
    await index('export_tickets', ['endpoint_id']);
    await index('export_tickets', ['user_id']);
    await index('export_tickets', ['expires_at']);

    await db.schema.alterTable('rooms').addColumn('revision', integer, zero).execute();
  },
};
