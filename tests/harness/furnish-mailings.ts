import type { MailingState } from '../../src/contract/entities.ts';
import { insertEmails } from '../../src/server/features/mailings/queries.ts';
import type { ApiApp, TestOrganization } from './api-app.ts';
import type { Fixture } from './call-requests.ts';

/** A mail server that never answers, and mailings in each state. */
export async function furnishMailings(
  api: ApiApp,
  { id: organization_id, admin }: TestOrganization,
  endpoint_id: number,
  marked: (name: string) => string,
): Promise<Fixture['mailing']> {
  const { db } = api.services;
  const { mail, mailings } = api.client(admin);
  const sender = { sender_name: marked('Museum'), sender_address: 'museum@example.com' };
  const server = { host: 'smtp.invalid', port: 465, security: 'tls', username: '', ...sender } as const;
  const account = { username: 'museum', password: 'secret', folder: marked('Reports') };
  await mail.update({ body: { server, mailbox: { host: 'imap.invalid', port: 993, security: 'tls', ...account } } });
  await db.updateTable('mailboxes').set({ next_at: null }).where('organization_id', '=', organization_id).execute();
  const make = async (state: MailingState) => {
    const body = { endpoint_id, name: marked(state), subject: marked('Welcome'), text: '{link}' };
    const { id } = await mailings.create({ body });
    await db.updateTable('mailings').set({ state }).where('id', '=', id).execute();
    return id;
  };
  const [draft, sending, paused, done] = await Promise.all(
    (['draft', 'sending', 'paused', 'done'] as const).map((state) => make(state)),
  );
  const email = async (state: 'rejected' | 'uncertain', access_token_id: number) => {
    const values = {
      state,
      access_token_id,
      attempts: 1,
      next_at: null,
      answer: marked('No'),
      message_id: '',
      sent_at: null,
    };
    const to = { name: marked('Kim'), email: 'kim@example.com' };
    await insertEmails(db, [{ ...values, ...to, organization_id, mailing_id: done! }]);
    const query = db.selectFrom('mailing_emails').select('id').where('mailing_id', '=', done!);
    return (await query.where('state', '=', state).executeTakeFirstOrThrow()).id;
  };
  const [rejected, uncertain] = [await email('rejected', 1), await email('uncertain', 2)];
  return { draft: draft!, sending: sending!, paused: paused!, done: done!, rejected, uncertain };
}
