import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiApp } from '../harness/api-app.ts';
import { CommandLine } from '../harness/command-line.ts';
import { MailServer } from '../harness/mail-server.ts';

describe('mailings from the command line', () => {
  let api: ApiApp;
  let line: CommandLine;
  let smtp: MailServer;
  beforeAll(async () => {
    smtp = await MailServer.start();
    api = await ApiApp.start('sqlite', { SMTP_URL: smtp.url });
    line = await CommandLine.here({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.one.admin.token });
    const client = api.client();
    const room_id = (await client.rooms.create({ body: { title: 'Hall' } })).id;
    const endpoint_id = (await client.endpoints.create({ body: { name: 'Museum', room_id } })).id;
    for (const holder_email of ['ann@example.com', 'gone@example.com'])
      await client.accessTokens.create({ body: { endpoint_id, holder_email } });
    await client.accessTokens.create({ body: { endpoint_id, holder_name: 'Max Mute' } });
    await client.mail.update({ body: { rate: 100 } });
    await line.file('invitation.txt', 'Enter: {link}\n');
    await line.file('wrong.txt', 'Enter: {lnik}\n');
  });
  afterAll(async () => {
    await line.close();
    await api.close();
    await smtp.close();
  });

  const send = (...more: string[]) =>
    line.run(['mailings', 'send', 'museum', '--subject', 'Welcome', '--body-file', ...more]);

  it('are previewed, sent and followed; rejections end with exit code 1', async () => {
    const wrong = await send('wrong.txt', '--yes');
    expect([wrong.code, wrong.error]).toEqual([1, expect.stringContaining('{lnik}')]);
    const tried = await send('invitation.txt', '--dry-run');
    expect([tried.code, tried.out]).toEqual([0, 'would send to 2; 1 without an address: Max Mute\n']);
    expect(await line.json('mailings', 'list')).toEqual([]);
    smtp.answer = (to) => (to.startsWith('gone') ? { code: 550, text: 'Mailbox gone' } : 'accept');
    const sent = await send('invitation.txt', '--yes');
    expect([sent.code, sent.error]).toEqual([
      1,
      expect.stringContaining('gone@example.com: rejected: 550 Mailbox gone'),
    ]);
    expect(sent.out).toMatch(/^Mailing \d+ done: 1 sent, 1 rejected$/m);
    expect(await line.json('mailings', 'list')).toMatchObject([{ name: 'Welcome', counts: { sent: 1, rejected: 1 } }]);
    expect((await line.run(['mailings', 'status', 'Welcome'])).code).toBe(1);
    expect(smtp.to('ann@example.com')).toHaveLength(1);
  });

  it('end with exit code 1 while e-mails wait, and say why the mailing is paused', async () => {
    const { endpoints, mailings } = api.client();
    const endpoint_id = (await endpoints.list({ query: {} }))[0]!.id;
    smtp.answer = () => ({ code: 451, text: 'Later' });
    const body = { endpoint_id, name: 'Reminder', subject: 'Welcome', text: '{link}' };
    const { id } = await mailings.create({ body });
    const status = async () => {
      const { code, error } = await line.run(['mailings', 'status', 'Reminder']);
      return [code, error];
    };
    expect(await status()).toEqual([1, expect.stringContaining('The mailing is a draft.')]);
    await mailings.send({ params: { id }, body: {} });
    expect(await status()).toEqual([1, expect.stringContaining('The mailing is being sent. 2 ')]);
    await mailings.pause({ params: { id } });
    const problem = 'The mail server is closed.';
    await api.services.db.updateTable('mailings').set({ problem }).where('id', '=', id).execute();
    expect(await status()).toEqual([1, expect.stringContaining(`The mailing is paused. ${problem} `)]);
  });
});
