import { describe, expect, test } from 'vitest';
import { accessibilityFaults } from '../../harness/admin-page.ts';
import { sharedEditor } from '../../harness/shared-window.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite({ environment: async () => ({ OPTIMIZE_MEDIA: '1' }) });
const open = sharedEditor(web);

async function newRoom(...names: string[]): Promise<number> {
  const { id } = await web.app.client.rooms.create({ body: { title: 'Hall' } });
  for (const name of names)
    await web.app.client.rooms.addElement({ params: { id }, body: { element: 'button', name } });
  return id;
}

describe('revisions', () => {
  test('a revision is saved, compared with now, and restored in part and as a whole', async () => {
    const { client } = web.app;
    const id = await newRoom('Door', 'Wall');
    const editor = await open(id);
    const { page } = editor;
    // The first one is made by itself.
    await expect.poll(async () => (await client.revisions.list({ params: { id } })).length).toBe(1);
    await editor.press('v');
    const dialog = page.getByRole('dialog', { name: 'Revisions' });
    const list = dialog.getByRole('list', { name: 'Revisions' });
    await list.getByText('Automatic').waitFor();
    await dialog.getByText('Nothing has changed since.').waitFor();
    await dialog.getByLabel('Name of the revision').fill('Before the opening');
    await dialog.getByRole('button', { name: 'Save a revision' }).click();
    await list.getByText('Before the opening').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await dialog.waitFor({ state: 'hidden' });

    await editor.select('Door');
    await editor.tab('Settings');
    await editor.fill('Name', 'Gate');
    await editor.save();
    await editor.select('Wall');
    await editor.window.waitFor();
    await editor.press('Delete');
    await editor.answer('Remove');
    await editor.add('Group');
    await editor.cancel();
    await editor.saved();

    await page.getByRole('button', { name: 'Revisions' }).click();
    const changes = dialog.getByRole('list', { name: 'What has changed since' }).getByRole('listitem');
    await changes.nth(2).waitFor();
    expect(await changes.allTextContents()).toEqual([
      expect.stringMatching(/^Group \d+ added$/),
      '“Wall” removed',
      '“Door” renamed to “Gate”',
    ]);
    await dialog.getByRole('button', { name: /^Restore Wall/ }).click();
    await expect.poll(() => changes.count()).toBe(2);
    // It is shown on the page that is open, without loading it again.
    expect(await editor.names()).toContain('Wall');
    expect((await client.rooms.read({ params: { id } })).elements.map(({ name }) => name)).toContain('Wall');
    await list.getByText('Before a restore').waitFor();

    await list.getByRole('button', { name: /^Before the opening/ }).click();
    await expect.poll(() => changes.count()).toBe(2);
    await dialog.getByRole('button', { name: 'Restore all' }).click();
    await page.getByRole('button', { name: 'Restore', exact: true }).click();
    await dialog.getByText('Nothing has changed since.').waitFor();
    expect(await editor.names()).toEqual(['Door', 'Wall']);
    expect((await client.rooms.read({ params: { id } })).elements.map(({ name }) => name)).toEqual(['Door', 'Wall']);

    await dialog.getByRole('button', { name: /^Rename Before the opening/ }).click();
    await dialog.getByRole('textbox', { name: /^Name of Before the opening/ }).fill('Opening day');
    await page.keyboard.press('Enter');
    await list.getByText('Opening day').waitFor();
    await dialog.getByRole('button', { name: /^Remove Opening day/ }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await list.getByText('Opening day').waitFor({ state: 'detached' });
    expect(editor.faults).toEqual([]);
  });
});

describe('the check', () => {
  test('tells what is wrong, leads there, and counts what visitors need while one edits', async () => {
    const id = await newRoom('Door');
    await web.app.client.rooms.addElement({ params: { id }, body: { element: 'image', name: 'Frame' } });
    const editor = await open(id);
    const { page } = editor;
    await page.getByRole('button', { name: 'Check, 1 finding' }).waitFor();
    await editor.press('c');
    const panel = page.getByRole('region', { name: 'Check' });
    const finding = panel.getByRole('list', { name: 'Findings' }).getByRole('button');
    expect(await finding.textContent()).toContain('The image "Frame" has no content to show or play.');
    expect(await accessibilityFaults(page)).toEqual([]);
    await finding.click();
    await editor.window.waitFor();
    expect(await editor.window.textContent()).toMatch(/^Image/);
    await editor.cancel();

    await panel.getByRole('tab', { name: 'Budget' }).click();
    const pages = panel.getByRole('region', { name: 'Page elements' });
    expect(await pages.locator('strong').textContent()).toBe('1');
    expect(await pages.getByRole('meter', { name: 'Page elements, Phone' }).getAttribute('value')).toBe('0.05');
    expect(await accessibilityFaults(page)).toEqual([]);
    await editor.act('Hide', 'Door');
    await editor.answer('Hide');
    await expect.poll(() => pages.locator('strong').textContent()).toBe('0');
    await editor.press('c');
    await panel.waitFor({ state: 'detached' });
    expect(editor.faults).toEqual([]);
  });

  test('plans a lighter version of the heaviest files', async () => {
    const id = await newRoom();
    const { id: file_id } = await web.app.upload('fixtures/media/pictures/currents.webp');
    // As uploaded by an earlier version.
    await web.app.services.db.deleteFrom('media_optimizations').execute();
    await web.app.client.rooms.addElement({ params: { id }, body: { element: 'image', name: 'Currents', file_id } });
    const editor = await open(id);
    await editor.press('c');
    const panel = editor.page.getByRole('region', { name: 'Check' });
    await panel.getByRole('tab', { name: 'Budget' }).click();
    const lighten = panel.getByRole('button', { name: 'Make lighter' });
    await lighten.click();
    await lighten.waitFor({ state: 'detached' });
    const file = await web.app.client.media.read({ params: { id: file_id } });
    expect(file.optimized).toMatchObject({ state: 'waiting' });
    expect(editor.faults).toEqual([]);
  });
});
