import { expect, test } from 'vitest';
import { openAdmin } from '../../harness/admin-page.ts';
import { MailServer } from '../../harness/mail-server.ts';
import { webSuite } from '../../harness/web-suite.ts';

let smtp: MailServer;
const web = webSuite({
  guard: async () => {
    smtp = await MailServer.start();
    return { allowed: [`127.0.0.1:${smtp.port}`] };
  },
});

test('guests are e-mailed their links: server, text with preview, test, sending, rejections and uncertain ones', async () => {
  const { client } = web.app;
  // What an earlier try left.
  smtp.received.splice(0);
  for (const { id } of (await client.mailings.list({ query: {} })).data)
    await client.mailings.remove({ params: { id } });
  const room_id = (await client.rooms.create({ body: { title: 'Hall' } })).id;
  const endpoint_id = (await client.endpoints.create({ body: { name: 'Opening night', room_id } })).id;
  const guest = (holder_name: string, holder_email: string | null) =>
    client.accessTokens.create({ body: { endpoint_id, holder_name, holder_email } });
  await guest('Zoë de Vries', 'zoe@example.com');
  await guest('Bob Gone', 'gone@example.com');
  await guest('Eve Unsure', 'unsure@example.com');
  await guest('Max Mute', null);
  await client.mail.update({ body: { rate: 100, server: null } });
  smtp.answer = (to) => {
    if (to.startsWith('gone')) return { code: 550, text: 'Mailbox gone' };
    return to.startsWith('unsure') ? 'drop after the end' : 'accept';
  };

  const { page, close } = await openAdmin(web.app, web.browser, '/admin/settings/mail');
  await page.getByLabel('Own mail server').check({ force: true });
  await page.getByLabel('Host').fill('127.0.0.1');
  await page.getByRole('textbox', { name: 'Port' }).fill(String(smtp.port));
  await page.getByRole('combobox', { name: 'Encryption' }).click();
  await page.getByRole('option', { name: 'None' }).click();
  await page.getByLabel('Sender’s name').fill('Museum');
  await page.getByLabel('Sender’s address').fill('museum@example.com');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('All changes saved').waitFor();
  await page.getByRole('button', { name: 'Send test message' }).click();
  await page.getByText('Sent to ').waitFor();

  await page.goto(`${web.app.origin}/admin/access-tokens?endpoint=${endpoint_id}`);
  await page.getByRole('link', { name: 'E-mail the holders' }).waitFor();
  await page.getByRole('link', { name: 'E-mail the holders' }).click();
  await page.getByLabel('Name').fill('Opening');
  await page.getByLabel('Subject').fill('Welcome, {nmae}');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('Unknown placeholders: {nmae}.').first().waitFor();
  await page.getByLabel('Subject').fill('Welcome, {name}');
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview.getByText('Welcome, Zoë de Vries').waitFor();
  await page.getByText('1 holder without an e-mail address is skipped').waitFor();
  await page.getByText('Max Mute').waitFor();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('button', { name: 'Send test' }).click();
  await expect.poll(() => smtp.received.length).toBe(2);
  await page.getByRole('button', { name: 'Send to 3 guests' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
  await page.getByText('3 of 3 e-mails').waitFor();
  await page.getByText('1 e-mail may or may not have arrived').waitFor();
  await page.getByRole('tab', { name: 'Rejected 1' }).click();
  await page.getByText('550 Mailbox gone').waitFor();
  await page.getByRole('button', { name: 'Mark as sent' }).click();
  await page.getByRole('tab', { name: 'Sent 2' }).click();
  await page.getByText('Eve Unsure').waitFor();
  await page.getByRole('link', { name: 'Back' }).click();
  await page.getByText('1 rejected').waitFor();

  // Chosen holders stay chosen, also when somebody else opens the draft.
  await page.goto(`${web.app.origin}/admin/access-tokens?endpoint=${endpoint_id}`);
  await page.getByText('Zoë de Vries').waitFor();
  const { data } = await client.accessTokens.list({ query: { endpoint_id } });
  const { token } = data.find(({ holder_name }) => holder_name === 'Zoë de Vries')!;
  await page.getByRole('checkbox', { name: `Select ${token}` }).check();
  await page.getByRole('button', { name: 'E-mail the holders of 1 token' }).click();
  await page.getByText('1 guest will receive it. Only the chosen access tokens are included.').waitFor();
  await page.getByLabel('Name').fill('Reminder');
  await page.getByLabel('Subject').fill('Reminder');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('button', { name: 'Send to 1 guest' }).waitFor();
  await close();
  const colleague = await openAdmin(web.app, web.browser, '/admin/access-tokens/e-mails');
  await colleague.page.getByRole('link', { name: 'Reminder', exact: true }).click();
  await colleague.page.getByRole('button', { name: 'Send to 1 guest' }).waitFor();
  // They are reset with the structure.
  await client.endpoints.create({ body: { name: 'Closing night', room_id } });
  await colleague.page.getByRole('combobox', { name: 'Structure' }).click();
  await colleague.page.getByRole('option', { name: 'Closing night' }).click();
  await colleague.page.getByText('The selection was for the other structure').waitFor();
  await colleague.page.getByRole('button', { name: 'Save' }).click();
  await colleague.page.getByText('All changes saved').waitFor();
  const reminder = (await client.mailings.list({ query: {} })).data.find(({ name }) => name === 'Reminder');
  expect(reminder).toMatchObject({ structure: 'Closing night', selection: { filter: {} } });
  expect(smtp.to('zoe@example.com')).toHaveLength(1);
  expect(smtp.to('unsure@example.com')).toHaveLength(1);
  await colleague.close();
  await smtp.close();
});
