import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { accessibilityFaults, onlyPolicies, openAdmin, settled } from '../../harness/admin-page.ts';
import { EditorDriver } from '../../harness/editor-driver.ts';
import { webSuite } from '../../harness/web-suite.ts';

const PHONE = { width: 360, height: 740 };

const web = webSuite();

let count = 0;
/** A space that a structure shows as it is edited. */
async function furnish(): Promise<{ room: number; endpoint: number; slug: string }> {
  const { client } = web.app;
  const slug = `hall-${++count}`;
  const room = (await client.rooms.create({ body: { title: 'First state' } })).id;
  await client.rooms.addElement({ params: { id: room }, body: { element: 'button', name: 'Door' } });
  const endpoint = (await client.endpoints.create({ body: { name: 'Hall', slug, room_id: room } })).id;
  return { room, endpoint, slug };
}

const published = async (room: number) => web.app.client.publications.read({ params: { id: room } });
const titleAt = async (slug: string): Promise<string | undefined> => {
  const answer = await fetch(`${web.app.origin}/api/v1/endpoints/${slug}`);
  return ((await answer.json()) as { data: { room: { title: string } | null } }).data.room?.title;
};
/** A time of the next month, as the calendar has it. */
const schedule = async (page: Page) => {
  await page.getByRole('button', { name: 'Date and time', exact: true }).click();
  await page.getByRole('button', { name: 'Next month' }).click();
  await page.locator('button[data-mantine-stop-propagation]', { hasText: /^15$/ }).last().click();
  await page.keyboard.press('Escape');
};

describe('publishing', () => {
  test('on the form of a structure: chosen, published, gone back, scheduled, unpublished, and previewed by a link', async () => {
    const { client } = web.app;
    const { room, endpoint, slug } = await furnish();
    const { page, context, faults } = await openAdmin(web.app, web.browser, `/admin/structures/${endpoint}`);
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: web.app.origin });
    await page.getByText('Published version', { exact: true }).click();
    await page.getByText('Not published', { exact: true }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Publish now' }).click();
    await page.getByText(/^Published .*by Member/).waitFor();
    await page.getByText('No changes since.').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('All changes saved').waitFor();
    await client.rooms.update({ params: { id: room }, body: { title: 'Second state' } });
    expect(await titleAt(slug)).toBe('First state');

    await page.goto(`${web.app.origin}/admin/structures/${endpoint}`);
    const changes = page.getByRole('region', { name: 'Changes since published' });
    await changes.waitFor();
    expect(await changes.getByRole('listitem').allTextContents()).toEqual(['Title “First state” → “Second state”']);
    await page.getByRole('button', { name: 'Copy preview link' }).click();
    const link = page.getByLabel('Preview link', { exact: true });
    await link.waitFor();
    const url = await link.inputValue();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url);
    expect(await (await fetch(url)).text()).toContain('Second state');

    for (const [scheme, other] of [
      ['light', 'Dark'],
      ['dark', 'Light'],
    ] as const) {
      await page.locator(`[data-mantine-color-scheme="${scheme}"]`).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.getByRole('button', { name: `${other} mode`, exact: true }).click();
    }
    await page.getByRole('button', { name: 'Publish now' }).click();
    await page.getByText('No changes since.').waitFor();
    expect(await titleAt(slug)).toBe('Second state');
    await page.getByRole('button', { name: 'Go back…' }).click();
    await page.getByRole('button', { name: /^Publish again: / }).click();
    await changes.waitFor();
    expect(await titleAt(slug)).toBe('First state');

    await page.getByRole('button', { name: 'Schedule…' }).click();
    await schedule(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('group', { name: 'Schedule' }).getByRole('button', { name: 'Schedule', exact: true }).click();
    await page.getByText(/^Scheduled for /).waitFor();
    expect((await published(room)).scheduled).toMatchObject({ zone: expect.stringMatching(/\w/) });
    await page.setViewportSize(PHONE);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel schedule' }).click();
    await page.getByText(/^Scheduled for /).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Unpublish' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unpublish' }).click();
    await page.getByText('Not published', { exact: true }).waitFor();
    expect(await titleAt(slug)).toBeUndefined();
    await page.goto(`${web.app.origin}/admin/structures`);
    await page.locator('[role="treeitem"][aria-description="closed"]').first().waitFor();
    await page.goto(`${web.app.origin}/admin/settings/history`);
    await page.getByText('unpublished space “Second state”').first().waitFor();
    await page.getByText('scheduled space “Second state” to be published').first().waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('in the editor: what is not saved yet is saved first, and published; it fits a phone', async () => {
    const { room } = await furnish();
    const editor = await EditorDriver.open(web.app, web.browser, room);
    const { page } = editor;
    await editor.select('Door');
    await editor.tab('Settings');
    await editor.fill('Name', 'Gate');
    await editor.save();
    await page.setViewportSize(PHONE);
    const crumbs = (await page.getByRole('navigation', { name: 'Breadcrumb' }).boundingBox())!;
    const undo = (await page.getByRole('button', { name: 'Undo', exact: true }).boundingBox())!;
    expect(crumbs.x + crumbs.width <= undo.x || crumbs.y + crumbs.height <= undo.y).toBe(true);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Publish' });
    await dialog.getByRole('button', { name: 'Publish now' }).click();
    await dialog.getByText(/^Published .*by Member/).waitFor();
    await dialog.getByText('No changes since.').waitFor();
    const { revision_id } = (await published(room)).published!;
    const kept = await web.app.client.revisions.read({ params: { id: revision_id } });
    expect(kept.room.elements.map(({ name }) => name)).toEqual(['Gate']);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    await settled(page);
    const box = (await dialog.boundingBox())!;
    expect([box.x >= 0, box.x + box.width <= PHONE.width]).toEqual([true, true]);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(editor.faults).toEqual([]);
    await editor.close();
  });

  test('whoever may only look sees what is published, and nothing to press', async () => {
    const { room, endpoint } = await furnish();
    await web.app.client.endpoints.update({ params: { id: endpoint }, body: { shows: 'published' } });
    await web.app.client.publications.publish({ params: { id: room }, body: {} });
    const view = { view_any: true, create: false, update: false, delete: false };
    const policies = onlyPolicies({ endpoints: { ...view, update: true }, rooms: view });
    const { page, context } = await openAdmin(web.app, web.browser, `/admin/structures/${endpoint}`, { policies });
    await page.getByText(/^Published .*·/).waitFor();
    await page.getByText('No changes since.').waitFor();
    for (const name of ['Publish now', 'Schedule…', 'Unpublish', 'Copy preview link'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    await context.close();
  });
});
