import { expect, test } from 'vitest';
import { openAdmin } from '../../harness/admin-page.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

test('removing 120 spaces is one call with progress, and says what structures lose and what was removed', async () => {
  const { client } = web.app;
  for (let index = 0; index < 120; index++) {
    const { id } = await client.rooms.create({ body: { title: `Agency ${index}` } });
    if (index < 2) await client.endpoints.create({ body: { name: `Shown ${index}`, room_id: id } });
  }
  const { page, close } = await openAdmin(web.app, web.browser, '/admin/spaces?search=Agency', {
    deviceScaleFactor: 1,
  });
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  await page.getByLabel('All on this page').check();
  await page.getByRole('button', { name: 'Select all 120 that match' }).click();
  await page.getByRole('button', { name: 'Remove 120 spaces' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove 120 spaces?' });
  await dialog.getByText('2 structures lose their space. They stay in the bin for 30 days.').waitFor();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByText(/^\d+ of 120$/).waitFor();
  await page.getByText('120 spaces removed. They stay in the bin for 30 days.').waitFor();
  expect(sent).toEqual(['POST /api/v1/backend/bulk/effects', 'POST /api/v1/backend/bulk']);
  expect((await client.rooms.list({ query: { search: 'Agency' } })).meta.total).toBe(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  const count = async () => (await client.rooms.list({ query: { search: 'Agency' } })).meta.total;
  await expect.poll(count, { timeout: 30_000 }).toBe(120);
  await close();
});
