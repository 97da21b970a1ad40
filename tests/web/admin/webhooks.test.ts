import { expect, test } from 'vitest';
import { openAdmin } from '../../harness/admin-page.ts';
import { WebhookReceiver } from '../../harness/stand-ins/webhook-receiver.ts';
import { webSuite } from '../../harness/web-suite.ts';

const receiver = new WebhookReceiver();
const web = webSuite({
  guard: async () => {
    await receiver.start();
    return { allowed: [new URL(receiver.url).host] };
  },
});

test('a webhook is added, its secret shown once, tested, looked at, paused and removed', async () => {
  receiver.text = 'taken';
  receiver.status = 200;
  const { page, close } = await openAdmin(web.app, web.browser, '/admin/webhooks');
  await page.getByRole('button', { name: 'Add new' }).first().click();
  await page.getByLabel('Name').fill('Build');
  await page.getByLabel('Address').fill('hook');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('Use a URL such as https://example.com/hook.').waitFor();
  await page.getByLabel('Address').fill(`${receiver.url}/hook`);
  await page.getByLabel('A live stream was started').check();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  expect(await page.getByRole('textbox', { name: 'Secret' }).inputValue()).toMatch(/^whsec_/);
  await page.getByRole('button', { name: 'Done' }).click();
  const [webhook] = await web.app.client.webhooks.list();
  expect(webhook).toMatchObject({ name: 'Build', events: ['space.published', 'stream.started'] });
  await page.getByRole('button', { name: 'Send a test: Build' }).click();
  const dialog = page.getByRole('dialog', { name: 'Messages to Build' });
  // The response shows by itself.
  await dialog.getByText('Delivered', { exact: true }).waitFor({ timeout: 20_000 });
  await dialog.getByText('taken', { exact: true }).waitFor();
  expect(receiver.seen.length).toBe(1);
  // Neither a reload nor the link in the address bar sends it again.
  await page.reload();
  await dialog.getByText('Delivered', { exact: true }).waitFor();
  expect(await dialog.getByText('Delivered', { exact: true }).count()).toBe(1);
  expect(receiver.seen.length).toBe(1);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Pause: Build' }).click();
  await page.getByText('Paused', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Remove: Build' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No webhooks yet.').waitFor();
  await close();
  await receiver.stop();
});
