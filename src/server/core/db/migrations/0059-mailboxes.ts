import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor, required, zero } from './columns.ts';

/** Delivery reports of mailings, read from mailboxes of organizations. */
export const mailboxes: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { integer, owned, index } = columnsFor(db);
    await owned('mailboxes')
      .addColumn('host', 'text', required)
      .addColumn('port', 'integer', required)
      .addColumn('security', 'text', required)
      .addColumn('username', 'text', required)
      .addColumn('sealed', 'text', required)
      .addColumn('folder', 'text', required)
      .addColumn('uid_validity', 'text')
      .addColumn('last_uid', integer, zero)
      .addColumn('read_at', 'text')
      .addColumn('problem', 'text', required)
      .addColumn('attempts', 'integer', zero)
      .addColumn('next_at', 'text')
      .execute();
    await index('mailboxes', ['organization_id'], true);
    await sql`create index mailboxes_next_at on mailboxes (next_at) where next_at is not null`.execute(db);
    await db.schema.alterTable('mailing_emails').addColumn('report', 'text').execute();
    await index('mailing_emails', ['organization_id', 'message_id']);
  },
};
