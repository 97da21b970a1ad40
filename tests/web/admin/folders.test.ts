import type { Locator } from 'playwright';
import { expect, test } from 'vitest';
import { openAdmin } from '../../harness/admin-page.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

test('spaces are sorted into folders by dragging and in a dialog; moves can be undone, and the address keeps the folder', async () => {
  const { client } = web.app;
  for (const title of ['Atrium', 'Ballroom', 'Cellar']) await client.rooms.create({ body: { title } });
  const { page, close } = await openAdmin(web.app, web.browser, '/admin/spaces');
  const shown = page.getByRole('table', { name: 'Spaces' });
  const row = (name: string) => shown.getByRole('row', { name });
  const names = () => shown.locator('tbody th').allInnerTexts();

  await row('Atrium').waitFor();
  await page.getByRole('button', { name: 'More ways to add' }).click();
  await page.getByRole('menuitem', { name: 'New folder' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Museum');
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
  const folders = page.getByRole('navigation', { name: 'Folders' });
  const folder = (name: string): Locator => folders.getByRole('link', { name });
  await folder('Museum').waitFor();
  await folder('Museum').hover();
  await folders.getByRole('button', { name: 'Actions: Museum' }).click();
  await page.getByRole('menuitem', { name: 'New folder inside' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('East wing');
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
  await folders.getByRole('button', { name: 'Open Museum' }).click();
  await folder('East wing').waitFor();

  await row('Atrium').dragTo(folder('East wing'));
  await page.getByText('1 space moved to Museum / East wing.').waitFor();
  await row('Atrium').getByText('Museum / East wing').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => row('Atrium').getByText('Museum').count()).toBe(0);

  await page.getByRole('checkbox', { name: 'Select Atrium' }).check();
  await page.getByRole('checkbox', { name: 'Select Ballroom' }).check();
  await page.getByRole('button', { name: 'Move 2 spaces', exact: true }).click();
  await page.getByRole('combobox', { name: 'To folder' }).fill('east');
  await page.getByRole('option', { name: 'Museum / East wing' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click();
  await page.getByText('2 spaces moved to Museum / East wing.').waitFor();

  await folder('Museum').click();
  await expect.poll(names).toEqual(['Atrium', 'Ballroom']);
  expect(new URL(page.url()).searchParams.get('folder')).toMatch(/^\d+$/);
  await page.reload();
  await expect.poll(names).toEqual(['Atrium', 'Ballroom']);
  await folder('No folder').click();
  await expect.poll(names).toContain('Cellar');
  expect(await names()).not.toContain('Atrium');

  await folder('East wing').hover();
  await folders.getByRole('button', { name: 'Actions: East wing' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByText('Its 2 spaces move to “Museum”; no space is removed.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('Folder “East wing” removed.').waitFor();
  await folder('Museum').click();
  await expect.poll(names).toEqual(['Atrium', 'Ballroom']);

  await page.getByRole('link', { name: 'Add new' }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill('Dome');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('The space has been added.').waitFor();
  const museum = (await client.folders.list()).find(({ name }) => name === 'Museum')!;
  expect(museum.spaces).toBe(3);
  await close();
});
