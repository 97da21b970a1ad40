import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openAdmin } from '../../harness/admin-page.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

test('access tokens are exported with links and states, and several get a new validity', async () => {
  const { client } = web.app;
  const { id: room_id } = await client.rooms.create({ body: { title: 'Room' } });
  const { id: endpoint_id } = await client.endpoints.create({ body: { name: 'Gate', room_id, is_protected: true } });
  for (const token of ['first', 'second', 'third']) await client.accessTokens.create({ body: { endpoint_id, token } });
  const { page, close } = await openAdmin(web.app, web.browser, '/admin/access-tokens');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export', exact: true }).click(),
  ]);
  const text = await readFile(await file.path(), 'utf8');
  expect(text).toContain(`"${web.app.origin}/gate#access_token=second","Gate","unused"`);
  await page.getByLabel('Search tokens').fill('seco');
  await page.waitForURL('**search=seco**');
  const [found] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export', exact: true }).click(),
  ]);
  const lines = (await readFile(await found.path(), 'utf8')).trim().split('\r\n');
  expect(lines.slice(1)).toEqual([expect.stringContaining('access_token=second')]);
  await page.getByLabel('Search tokens').fill('');
  // The address changes before the rows do.
  await page.getByRole('row').nth(3).waitFor();
  await page.getByLabel('All on this page').check();
  await page.getByRole('button', { name: 'Change 3 tokens' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change 3 tokens' });
  const apply = dialog.getByRole('button', { name: 'Apply' });
  expect(await apply.isDisabled()).toBe(true);
  await dialog.getByLabel('Change the duration').check();
  await dialog.getByLabel('Duration (minutes)').fill('45');
  await apply.click();
  await page.getByText('3 tokens changed.').waitFor();
  const { data } = await client.accessTokens.list({ query: { endpoint_id } });
  expect(data.map(({ valid_duration }) => valid_duration)).toEqual([45, 45, 45]);
  await page.getByLabel('All on this page').check();
  await page.getByRole('button', { name: 'Revoke 3 tokens' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('3 tokens revoked.').waitFor();
  const states = async () => (await client.accessTokens.list({ query: { endpoint_id, state: 'expired' } })).meta.total;
  expect(await states()).toBe(3);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect.poll(states).toBe(0);
  await client.accessTokens.createMany({ body: { endpoint_id, count: 297 } });
  await page.reload();
  await page.getByRole('button', { name: 'Print QR codes', exact: true }).click();
  await page.getByText('300 tokens on 30 pages').waitFor();
  await page.emulateMedia({ media: 'print' });
  const paper = await page.evaluate(() => {
    const lists = [...document.querySelectorAll('[role=dialog] > ul')];
    const app = document.querySelector('body > :not([role=dialog])')!;
    return { cards: lists.map(({ children }) => children.length), isApp: app.checkVisibility() };
  });
  expect(paper).toEqual({ cards: Array(30).fill(10), isApp: false });
  await close();
});
