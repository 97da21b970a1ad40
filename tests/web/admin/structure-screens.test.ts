import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { accessibilityFaults, onlyPolicies, openAdmin, settled } from '../../harness/admin-page.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();
const VIEW = { view_any: true, create: false, update: false, delete: false };
const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

async function addStructure(name: string, more: object = {}): Promise<number> {
  const { client } = web.app;
  const room = await client.rooms.create({ body: { title: `Space of ${name}` } });
  return (await client.endpoints.create({ body: { name, room_id: room.id, ...more } })).id;
}

const preview = (page: Page) => page.getByRole('region', { name: 'Preview' });
const frame = (page: Page) => page.frameLocator('iframe[title="Preview of the structure"]');

describe('the preview of a structure', () => {
  test('shows unsaved values beside the form: title, token form and countdown', async () => {
    const id = await addStructure('Opera');
    const { db } = web.app.services;
    const { page, faults, close } = await openAdmin(web.app, web.browser, `/admin/structures/${id}`, {
      viewport: WIDE,
    });
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await frame(page).getByText('Space of Opera', { exact: true }).waitFor();
    await page.getByLabel('Title').fill('Opera at night');
    await preview(page).getByText('Opera at night', { exact: true }).waitFor();
    const accent = () =>
      frame(page)
        .locator('html')
        .evaluate((root) => root.style.getPropertyValue('--brass'));
    await page.getByRole('textbox', { name: 'Accent color' }).fill('#1F7A78');
    await expect.poll(accent).toContain('#1F7A78');
    await page.getByRole('button', { name: 'Reset to the organization' }).click();
    await expect.poll(accent).toBe('');
    await page.getByText('Inherited from the organization').waitFor();
    // The frame never takes the focus.
    expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('IFRAME');
    await page.getByText('Protected', { exact: true }).last().click();
    await frame(page).getByRole('button', { name: 'Login' }).waitFor();
    await page.getByLabel('Show countdown').check();
    await page.getByRole('spinbutton', { name: 'Hours' }).fill('23');
    await page.getByRole('spinbutton', { name: 'Minutes' }).fill('59');
    const steps = preview(page).getByRole('radiogroup', { name: 'Step' });
    await steps.getByText('Countdown').click();
    await frame(page).getByRole('timer').waitFor();
    await frame(page).getByText('Opera at night', { exact: true }).waitFor();
    await steps.getByText('Entrance').click();
    await frame(page).getByText('Space of Opera', { exact: true }).waitFor();
    await page.getByText('Hidden', { exact: true }).last().click();
    await preview(page).getByText('Hidden: visitors see “Page not found”.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    // A preview is no visit: nothing is counted, sent or linked, and it draws no room.
    expect(requests.filter((path) => /statistics\/|preview-links|\/endpoints\/opera/.test(path))).toEqual([]);
    expect(await frame(page).locator('canvas').count()).toBe(0);
    // The session's own cookie opens its files.
    expect((await page.context().cookies()).map(({ name }) => name)).toEqual(['enfilade_session']);
    for (const table of ['statistics_events', 'statistics_hours'] as const)
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
    expect(faults).toEqual([]);
    await close();
  });

  test('loads on phones only behind its tab', async () => {
    const id = await addStructure('Ballet', { is_protected: true });
    const { page, close } = await openAdmin(web.app, web.browser, `/admin/structures/${id}`, { viewport: PHONE });
    await page.getByRole('tab', { name: 'Settings' }).waitFor();
    await settled(page);
    expect(await page.locator('iframe').count()).toBe(0);
    await page.getByRole('tab', { name: 'Preview' }).click();
    await frame(page).getByRole('button', { name: 'Login' }).waitFor();
    await close();
  });

  test('follows the space that is selected, and needs the right to see spaces', async () => {
    const { client } = web.app;
    await client.rooms.create({ body: { title: 'Foyer' } });
    const { page, close } = await openAdmin(web.app, web.browser, '/admin/structures/add', { viewport: WIDE });
    await preview(page).getByText('Select a space to see the preview.').waitFor();
    await page.getByLabel('Title').fill('Gala');
    await page.getByRole('combobox', { name: 'Select a space' }).click();
    await page.getByRole('option', { name: 'Foyer' }).click();
    await frame(page).getByText('Foyer', { exact: true }).waitFor();
    await close();
    const id = await addStructure('Matinee');
    const policies = onlyPolicies({ endpoints: { ...VIEW, update: true } });
    const limited = await openAdmin(web.app, web.browser, `/admin/structures/${id}`, { policies, viewport: WIDE });
    await limited.page.getByLabel('Title').waitFor();
    expect(await preview(limited.page).count()).toBe(0);
    await limited.close();
  });
});

test('the tree of structures is sorted by schedule, and by the third click as in the tree again', async () => {
  await web.app.services.db.deleteFrom('endpoints').execute();
  const { id: room_id } = await web.app.client.rooms.create({ body: { title: 'Hall' } });
  for (const name of ['Open', 'Matinee', 'Premiere'])
    await web.app.client.endpoints.create({ body: { name, room_id } });
  const { data } = await web.app.client.endpoints.rows();
  const plan = (name: string, start_date: string | null) =>
    web.app.client.endpoints.update({
      params: { id: data.find((row) => row.name === name)!.id },
      body: { show_countdown: true, start_date, start_time: '20:00', time_zone: 'Europe/Amsterdam' },
    });
  await plan('Matinee', null);
  await plan('Premiere', '2031-04-01');
  const { page, close } = await openAdmin(web.app, web.browser, '/admin/structures');
  const names = () => page.getByRole('treeitem').locator('a[data-primary]').allTextContents();
  const heading = page.getByRole('button', { name: /^Schedule/ });
  await expect.poll(names).toEqual(['Open', 'Matinee', 'Premiere']);
  await heading.click();
  await expect.poll(names).toEqual(['Premiere', 'Matinee', 'Open']);
  await heading.click();
  await expect.poll(names).toEqual(['Matinee', 'Premiere', 'Open']);
  await heading.click();
  await expect.poll(names).toEqual(['Open', 'Matinee', 'Premiere']);
  await close();
});
