import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor, required, zero } from './columns.ts';

/** Mailings to the holders of access tokens, and the mail servers of organizations. */
export const mailings: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { integer, refers, table, owned, index } = columnsFor(db);
    await owned('mail_settings')
      .addColumn('host', 'text')
      .addColumn('port', 'integer')
      .addColumn('security', 'text')
      .addColumn('username', 'text')
      .addColumn('sealed', 'text')
      .addColumn('sender_name', 'text')
      .addColumn('sender_address', 'text')
      .addColumn('rate', 'integer', required)
      .addColumn('free_at', 'text')
      .execute();
    await index('mail_settings', ['organization_id'], true);
    await owned('mailings')
      // A removed structure can be restored with its id.
      .addColumn('endpoint_id', integer, required)
      .addColumn('name', 'text', required)
      .addColumn('subject', 'text', required)
      .addColumn('text', 'text', required)
      .addColumn('reply_to', 'text')
      .addColumn('language', 'text', required)
      .addColumn('selection', 'text', required)
      .addColumn('state', 'text', required)
      .addColumn('problem', 'text', required)
      .addColumn('started_at', 'text')
      .execute();
    await index('mailings', ['organization_id', 'id']);
    await table('mailing_emails')
      .addColumn('organization_id', integer, refers('organizations', 'cascade'))
      .addColumn('mailing_id', integer, refers('mailings', 'cascade'))
      // A removed access token can be restored with its id.
      .addColumn('access_token_id', integer, required)
      .addColumn('name', 'text', required)
      .addColumn('email', 'text', required)
      .addColumn('state', 'text', required)
      .addColumn('attempts', 'integer', zero)
      .addColumn('next_at', 'text')
      .addColumn('answer', 'text', required)
      .addColumn('message_id', 'text', required)
      .addColumn('sent_at', 'text')
      .execute();
    await index('mailing_emails', ['mailing_id', 'access_token_id'], true);
    await index('mailing_emails', ['mailing_id', 'state']);
    await index('mailing_emails', ['organization_id', 'email']);
    await sql`create index mailing_emails_next_at on mailing_emails (next_at) where next_at is not null`.execute(db);
  },
};
