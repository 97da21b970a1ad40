import { expect, test } from 'vitest';
import { accessibilityFaults, onlyPolicies, openAdmin } from '../../harness/admin-page.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();
const VIEW = { view_any: true, create: false, update: false, delete: false };

test('who may only see structures opens one read-only, with its link and QR code', async () => {
  const { client } = web.app;
  const { id: room_id } = await client.rooms.create({ body: { title: 'Room' } });
  const schedule = { show_countdown: true, start_time: '19:55', time_zone: 'Europe/Amsterdam' };
  const access = { is_protected: true, access_token_duration: 90 };
  const { id } = await client.endpoints.create({ body: { name: 'Museum', room_id, ...schedule, ...access } });
  const policies = onlyPolicies({ endpoints: VIEW });
  const { page, close } = await openAdmin(web.app, web.browser, '/admin/structures', { policies });
  await page.getByRole('link', { name: 'View: Museum' }).click();
  await page.getByRole('link', { name: `${web.app.origin}/museum` }).waitFor();
  // A page to read: no disabled form.
  expect(await page.locator('input, textarea, select').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
  const facts = page.getByRole('tabpanel', { name: 'Overview' });
  await facts.getByText('Protected, 0 access tokens, each valid for 90 minutes from first use').waitFor();
  await facts.getByText(/^Daily, 19:55 Amsterdam time.*\(countdown\)$/).waitFor();
  await facts.getByText('Room', { exact: true }).waitFor();
  await facts.getByText(/ by .+$/).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByText('You can see this structure but not change it.').waitFor();
  await page.getByRole('button', { name: 'QR code' }).click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Embed-code' }).click();
  expect(await page.getByLabel('Embed code').inputValue()).toContain('/embed/museum');
  await close();
  await client.endpoints.remove({ params: { id } });
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

test('webhooks belong to the settings, and the current entry is marked in both menus', async () => {
  const { page, close } = await openAdmin(web.app, web.browser, '/admin/webhooks');
  const current = (menu: string) =>
    page.getByRole('navigation', { name: menu }).locator('[aria-current="page"]').allTextContents();
  await expect.poll(() => current('Settings')).toEqual(['Webhooks']);
  expect(await current('Main')).toEqual(['Settings']);
  for (const name of ['Audit log', 'Usage', 'General']) {
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name, exact: true }).click();
    await expect.poll(() => current('Settings')).toEqual([name]);
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
  // Dismissed, they come back with the next one.
  await page.getByRole('button', { name: 'Dismiss: Protected, but has no access tokens' }).click();
  await page.getByRole('button', { name: '1 dismissed' }).click();
  await group.getByRole('button', { name: 'Show again' }).waitFor();
  await client.endpoints.create({ body: { name: 'Locked at last', room_id, is_protected: true } });
  await page.reload();
  await group.getByText('7', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Dismiss: Protected, but has no access tokens' }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await close();
});
