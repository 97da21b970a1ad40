import { expect, test } from 'vitest';
import { onlyPolicies, openAdmin } from '../../harness/admin-page.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();
const VIEW = { view_any: true, create: false, update: false, delete: false };

test('who may only see structures opens one read-only, with its link and QR code', async () => {
  const { client } = web.app;
  const { id: room_id } = await client.rooms.create({ body: { title: 'Room' } });
  await client.endpoints.create({ body: { name: 'Museum', room_id } });
  const policies = onlyPolicies({ endpoints: VIEW });
  const { page, close } = await openAdmin(web.app, web.browser, '/admin/structures', { policies });
  await page.getByRole('link', { name: 'View: Museum' }).click();
  await page.getByRole('link', { name: `${web.app.origin}/museum` }).waitFor();
  expect(await page.getByLabel('Title').isDisabled()).toBe(true);
  expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
  await page.getByText('You can see this structure but not change it.').waitFor();
  await page.getByRole('button', { name: 'QR code' }).click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Embed-code' }).click();
  expect(await page.getByLabel('Embed code').inputValue()).toContain('/embed/museum');
  await close();
});

test('who may only see settings can’t type there', async () => {
  const policies = onlyPolicies({ settings: VIEW });
  const { page, close } = await openAdmin(web.app, web.browser, '/admin/settings', { policies });
  const name = page.getByLabel('Organization name');
  await name.waitFor();
  expect(await name.isDisabled()).toBe(true);
  await close();
});

test('the bin offers only what the user may do', async () => {
  const { client } = web.app;
  const { id } = await client.rooms.create({ body: { title: 'Old room' } });
  await client.rooms.remove({ params: { id } });
  const policies = onlyPolicies({ rooms: VIEW });
  const { page, close } = await openAdmin(web.app, web.browser, '/admin/bin', { policies });
  await page.getByText('Old room').waitFor();
  for (const name of [/^Empty bin/, /^Delete forever/, /^Restore/])
    expect(await page.getByRole('button', { name }).count()).toBe(0);
  await close();
});

test('webhooks belong to the settings in the menu, and the current entry is in sight', async () => {
  const { page, close } = await openAdmin(web.app, web.browser, '/admin/webhooks', {
    viewport: { width: 1280, height: 600 },
  });
  const nav = page.getByRole('navigation', { name: 'Main' });
  await nav.locator('[aria-current="page"]', { hasText: 'Webhooks' }).waitFor();
  for (const name of ['Audit log', 'Usage', 'General']) {
    await nav.getByRole('link', { name, exact: true }).click();
    const current = nav.locator('[aria-current="page"]');
    await expect.poll(() => current.textContent()).toBe(name);
    const box = (await current.boundingBox())!;
    const menu = (await nav.locator('xpath=ancestor::*[contains(@class, "ScrollArea-viewport")]').boundingBox())!;
    expect(box.y).toBeGreaterThanOrEqual(menu.y - 1);
    expect(box.y + box.height).toBeLessThanOrEqual(menu.y + menu.height + 1);
  }
  await close();
});

test('problems are grouped by kind, with how many there are', async () => {
  const { client } = web.app;
  const { id: room_id } = await client.rooms.create({ body: { title: 'Locked room' } });
  for (let index = 0; index < 6; index++)
    await client.endpoints.create({ body: { name: `Locked ${index}`, room_id, is_protected: true } });
  const { page, close } = await openAdmin(web.app, web.browser, '/admin');
  const group = page.getByRole('region', { name: 'Protected, but has no access tokens' });
  await group.getByText('6', { exact: true }).waitFor();
  expect(await group.getByRole('link').count()).toBe(3);
  await group.getByRole('button', { name: 'Show 3 more' }).click();
  await group.getByRole('link', { name: 'Locked 5' }).waitFor();
  await close();
});
