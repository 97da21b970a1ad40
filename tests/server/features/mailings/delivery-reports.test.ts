import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import type { EmailState } from '../../../../src/contract/entities.ts';
import { readDeliveryReport } from '../../../../src/server/core/files/inspect/mail/delivery-report.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';
import { deliveryReport, IMAP_HOST, ImapServer } from '../../../harness/imap-server.ts';
import { MailServer } from '../../../harness/mail-server.ts';

const MINUTE = 60_000;

describe.each(databases)('delivery reports on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let smtp: MailServer;
  let imap: ImapServer;
  let plain: ImapServer;
  let hall: number;
  beforeAll(async () => {
    [smtp, imap, plain] = await Promise.all([MailServer.start(), ImapServer.start(), ImapServer.start('starttls')]);
    api = await ApiApp.start(
      kind,
      { LOG_LEVEL: 'error', SMTP_URL: smtp.url, MAIL_FROM: 'Museum <museum@example.com>' },
      {
        allowed: [smtp.port, imap.port, plain.port].map((port) => `127.0.0.1:${port}`),
        resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      },
    );
    client = api.client();
    const { id: room_id } = await client.rooms.create({ body: { title: 'Hall' } });
    hall = (await client.endpoints.create({ body: { name: 'Hall', slug: 'hall', room_id } })).id;
  });
  beforeEach(async () => {
    await client.mail.update({ body: { rate: 100, mailbox: account() } });
    await read();
  });
  afterEach(async () => {
    imap.fault = null;
    imap.password = 'correct horse';
    imap.messages.splice(0);
    imap.uidValidity++;
    imap.commands.splice(0);
    await client.mail.update({ body: { mailbox: null } });
  });
  afterAll(async () => {
    await api.close();
    await Promise.all([smtp.close(), imap.close(), plain.close()]);
  });

  const account = ({ port } = imap, changes: object = {}) => ({
    ...{ host: IMAP_HOST, port, security: 'tls' as const, username: 'museum', password: 'correct horse' },
    ...{ folder: 'INBOX', ...changes },
  });
  const settings = () => client.mail.read();
  /** Waits until the mailbox has been read. */
  const read = () =>
    expect
      .poll(settings, { timeout: 30_000 })
      .toMatchObject({ mailbox_problem: '', mailbox_read_at: expect.any(String) });
  const visits = () => api.services.db.selectFrom('mailboxes').select(['id', 'read_at', 'attempts']).execute();
  /** Lets time pass until the next visit, and waits until it has ended. */
  const readAgain = async (milliseconds = 6 * MINUTE) => {
    const before = await visits();
    api.clock.advance(milliseconds);
    api.one.admin.token = await api.signIn(api.one.admin);
    client = api.client();
    await expect.poll(visits, { timeout: 30_000 }).not.toEqual(before);
  };

  /** Sends a mailing to some addresses. @returns its e-mails by address */
  const mailed = async (...addresses: string[]) => {
    const ids: number[] = [];
    for (const holder_email of addresses)
      ids.push((await client.accessTokens.create({ body: { endpoint_id: hall, holder_email } })).id);
    const body = { endpoint_id: hall, name: 'Opening', subject: 'Welcome', text: '{link}' };
    const { id } = await client.mailings.create({ body });
    await client.mailings.send({ params: { id }, body: { ids } });
    await expect
      .poll(async () => (await client.mailings.read({ params: { id } })).state, { timeout: 30_000 })
      .toBe('done');
    const emails = async (state?: EmailState) =>
      new Map(
        (await client.mailings.emails({ params: { id }, query: { per_page: 100, state } })).data.map((email) => [
          email.email,
          email,
        ]),
      );
    return { id, emails };
  };

  it('marks e-mails as returned, delayed or delivered', async () => {
    const { id, emails } = await mailed('gone@example.com', 'late@example.com', 'there@example.com', 'kim@example.com');
    const before = await emails();
    const messageId = (to: string) => before.get(to)!.message_id;
    imap.deliver(
      `From: kim@example.com\nSubject: Thank you\nMessage-ID: <other@example.com>\n\nSee you ${messageId('kim@example.com')}\n`,
    );
    imap.deliver(deliveryReport({ messageId: messageId('gone@example.com'), to: 'gone@example.com' }));
    imap.deliver(
      deliveryReport({
        messageId: messageId('late@example.com'),
        to: 'late@example.com',
        action: 'delayed',
        said: 'smtp; 451 4.4.1 No answer',
      }),
    );
    imap.deliver(
      deliveryReport({ messageId: messageId('there@example.com'), to: 'there@example.com', action: 'relayed' }),
    );
    imap.deliver(deliveryReport({ messageId: '<unknown@example.com>', to: 'gone@example.com' }));
    await readAgain();
    await expect
      .poll(() => client.mailings.read({ params: { id } }), { timeout: 30_000 })
      .toMatchObject({
        state: 'done',
        counts: { sent: 3, returned: 1, uncertain: 0 },
      });
    await expect
      .poll(async () => (await emails()).get('there@example.com')?.report, { timeout: 30_000 })
      .toBe('delivered');
    const after = await emails();
    expect(after.get('gone@example.com')).toMatchObject({
      state: 'returned',
      answer: '550 5.1.1 No such user',
      report: null,
    });
    expect(after.get('late@example.com')).toMatchObject({
      state: 'sent',
      report: 'delayed',
      answer: '451 4.4.1 No answer',
    });
    expect(after.get('kim@example.com')).toMatchObject({ state: 'sent', report: null });
    expect([...(await emails('returned')).keys()]).toEqual(['gone@example.com']);
    expect(
      imap.commands.filter((command) => /STORE|EXPUNGE|SELECT/.test(command)),
      'nothing in the mailbox changes',
    ).toEqual([]);
  });

  it('reads each message once, and all of them after the folder was replaced', async () => {
    const { emails } = await mailed('gone2@example.com');
    const { message_id: messageId } = (await emails()).get('gone2@example.com')!;
    imap.deliver(deliveryReport({ messageId: '<unknown@example.com>', to: 'gone2@example.com' }));
    const fetched = () => imap.commands.filter((command) => command.startsWith('UID FETCH')).length;
    await readAgain();
    await expect.poll(fetched, { timeout: 30_000 }).toBe(1);
    await readAgain();
    expect(fetched()).toBe(1);
    imap.uidValidity++;
    imap.messages.splice(0);
    imap.deliver(deliveryReport({ messageId, to: 'gone2@example.com' }));
    await readAgain();
    await expect
      .poll(async () => (await emails()).get('gone2@example.com')?.state, { timeout: 30_000 })
      .toBe('returned');
  });

  it('sends a returned e-mail again if a person wants that, and ignores reports about the first one', async () => {
    const { id, emails } = await mailed('again@example.com');
    const first = (await emails()).get('again@example.com')!;
    imap.deliver(deliveryReport({ messageId: first.message_id, to: 'again@example.com' }));
    await readAgain();
    await expect
      .poll(async () => (await emails()).get('again@example.com')?.state, { timeout: 30_000 })
      .toBe('returned');
    await client.mailings.resend({ params: { id }, body: { ids: [first.id] } });
    await expect.poll(async () => (await emails()).get('again@example.com')?.state, { timeout: 30_000 }).toBe('sent');
    imap.uidValidity++;
    await readAgain();
    expect((await emails()).get('again@example.com')).toMatchObject({ state: 'sent', report: null });
  });

  it('never touches another organization', async () => {
    const { emails } = await mailed('apart@example.com');
    const { message_id: messageId } = (await emails()).get('apart@example.com')!;
    await client.mail.update({ body: { mailbox: null } });
    const other = api.client(api.two.admin);
    imap.deliver(deliveryReport({ messageId, to: 'apart@example.com' }));
    await other.mail.update({ body: { mailbox: account() } });
    await expect.poll(async () => (await other.mail.read()).mailbox_read_at, { timeout: 30_000 }).not.toBe(null);
    await other.mail.update({ body: { mailbox: null } });
    expect((await emails()).get('apart@example.com')).toMatchObject({ state: 'sent', report: null });
  });

  it('reports a broken mailbox, and continues once it is repaired', async () => {
    const works = async () => client.mail.testMailbox();
    expect(await works()).toEqual({
      works: true,
      text: 'Connected. The folder INBOX has 0 messages, of which 0 are reports of the last 30 days.',
    });
    imap.password = 'another';
    expect(await works()).toEqual({
      works: false,
      text: 'The server refused the user or the password: Wrong user or password',
    });
    await readAgain();
    await expect
      .poll(async () => (await settings()).mailbox_problem, { timeout: 30_000 })
      .toMatch(/^The server refused/);
    imap.password = 'correct horse';
    for (const [fault, text] of [
      ['no search', /^The folder INBOX couldn't be read: /],
      ['drop', /^The folder INBOX couldn't be read: /],
      ['huge message', /^The folder INBOX couldn't be read: /],
    ] as const) {
      imap.fault = fault;
      imap.deliver(deliveryReport({ messageId: '<unknown@example.com>', to: 'x@example.com' }));
      await readAgain(61 * MINUTE);
      await expect.poll(async () => (await settings()).mailbox_problem, { timeout: 30_000 }).toMatch(text);
    }
    imap.fault = null;
    await readAgain(61 * MINUTE);
    await expect.poll(async () => (await settings()).mailbox_problem, { timeout: 30_000 }).toBe('');
    await client.mail.update({ body: { mailbox: account(imap, { folder: 'Nowhere' }) } });
    expect((await works()).text).toBe("The folder Nowhere couldn't be read: No such folder");
    const inside = account({ port: 9 } as ImapServer);
    expect(await refused(client.mail.update({ body: { mailbox: inside } }))).toMatchObject({
      status: 422,
      msg: { 'mailbox.host': ["This host doesn't resolve to a public IP address. Use a public one."] },
    });
  });

  it('signs in only with encryption, and keeps the password for the same server and user', async () => {
    await client.mail.update({ body: { mailbox: account(plain, { security: 'starttls' }) } });
    expect(await client.mail.testMailbox()).toMatchObject({ works: true, text: expect.stringContaining('Connected') });
    expect(plain.commands.indexOf('LOGIN')).toBeGreaterThan(plain.commands.indexOf('CAPABILITY'));
    const { password: _, ...without } = account(plain, { security: 'starttls' });
    await client.mail.update({ body: { mailbox: without } });
    expect(await client.mail.testMailbox()).toMatchObject({ works: true, text: expect.stringContaining('Connected') });
    expect(JSON.stringify(await settings())).not.toContain('correct horse');
    for (const changes of [{ username: 'other' }, { host: 'mail.example.com' }])
      expect(await refused(client.mail.update({ body: { mailbox: { ...without, ...changes } } }))).toMatchObject({
        status: 422,
        msg: { 'mailbox.password': ['Enter the password for this server and user.'] },
      });
    const read = await settings();
    const { id: __, ...whole } = read;
    expect(await client.mail.update({ body: whole as never }), 'responses are valid requests').toMatchObject({
      mailbox: read.mailbox,
    });
  });
});

describe('a delivery report', () => {
  const read = (source: string) => readDeliveryReport(Buffer.from(source.replace(/\n/g, '\r\n')));
  const about = { messageId: '<one@example.com>', to: 'kim@example.com' };

  it('names the e-mail, and what happened to it', async () => {
    expect(await read(deliveryReport(about))).toEqual({
      messageId: '<one@example.com>',
      action: 'failed',
      text: '550 5.1.1 No such user',
    });
    expect(await read(deliveryReport({ ...about, action: 'Expanded' }))).toMatchObject({ action: 'delivered' });
    expect(await read(deliveryReport({ ...about, said: 'smtp; 550-5.7.1 Refused\n    by policy' }))).toMatchObject({
      text: '550-5.7.1 Refused by policy',
    });
  });

  it('may contain the whole e-mail, several recipients, or be cut off', async () => {
    const whole = deliveryReport(about)
      .replace('text/rfc822-headers', 'message/rfc822')
      .replace('\n--part--', '\nHello\n\n--part--');
    expect(await read(whole)).toMatchObject({ messageId: '<one@example.com>' });
    expect(await read(whole.slice(0, whole.indexOf('Hello')))).toMatchObject({ messageId: '<one@example.com>' });
    const delivered = 'Final-Recipient: rfc822; a@example.com\nAction: delivered\nStatus: 2.0.0\n\nFinal-Recipient';
    expect(await read(deliveryReport(about).replace('Final-Recipient', delivered))).toMatchObject({ action: 'failed' });
  });

  it('is nothing else', async () => {
    for (const source of [
      '',
      'Subject: Hello\n\nHello',
      deliveryReport(about).replace('message/delivery-status', 'text/plain'),
      deliveryReport(about).replace('Message-ID: <one@example.com>', ''),
      deliveryReport(about).replace('Action: failed', 'Action: eaten'),
      `Content-Type: multipart/mixed; boundary=a\n\n${'--a\nContent-Type: multipart/mixed; boundary=a\n\n'.repeat(5000)}`,
    ])
      expect(await read(source)).toBe(null);
  });
});
