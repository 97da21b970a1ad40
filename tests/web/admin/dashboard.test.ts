import { expect, test } from 'vitest';
import { accessibilityFaults, openAdmin, settled } from '../../harness/admin-page.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite({ demo: true });

test('the first steps tick themselves, and are dismissed and shown again', async () => {
  const { page, close } = await openAdmin(web.app, web.browser, '/admin');
  const steps = page.getByRole('region', { name: 'First steps' });
  // Whoever looks is the second user.
  await steps.getByText('1 of 6').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await web.app.client.rooms.create({ body: { title: 'My own' } });
  await page.reload();
  await steps.getByText('2 of 6').waitFor();
  await steps.getByRole('button', { name: 'Dismiss first steps' }).click();
  await steps.waitFor({ state: 'detached' });
  await page.getByText('First steps hidden.').waitFor();
  await page.reload();
  await settled(page);
  expect(await steps.count()).toBe(0);
  await page.goto(`${web.app.origin}/admin/account`);
  const show = page.getByLabel('Show the first steps on the dashboard');
  const ONBOARDING = '**/api/v1/backend/onboarding';
  // What could not be saved is not shown as if it were.
  await page.route(ONBOARDING, (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
  await show.click();
  await page.getByRole('alert').waitFor();
  await expect.poll(() => show.isChecked()).toBe(false);
  await page.unroute(ONBOARDING);
  const saved = page.waitForResponse((response) => response.request().method() === 'POST');
  await show.check();
  expect((await saved).ok()).toBe(true);
  await page.goto(`${web.app.origin}/admin`);
  await steps.waitFor();
  await close();
});

test('the demo is removed in one go, which says what goes and stays, and can be undone', async () => {
  const { client } = web.app;
  const before = (await client.rooms.list()).meta.total;
  const [changed] = (await client.endpoints.list()).filter(({ children }) => children.length === 0);
  await client.rooms.update({ params: { id: changed!.room_id! }, body: { title: 'Changed by me' } });
  const { page, close } = await openAdmin(web.app, web.browser, '/admin');
  await page.getByRole('button', { name: 'Remove the demo' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('space Changed by me (was changed)').waitFor();
  await dialog.getByRole('button', { name: 'Remove the demo' }).click();
  await page.getByText('Demo removed.').waitFor();
  const rest = (await client.rooms.list()).data.map(({ title }) => title);
  expect(rest).toContain('Changed by me');
  expect(rest.length).toBeLessThan(before);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(async () => (await client.rooms.list()).meta.total, { timeout: 20_000 }).toBe(before);
  await close();
});
