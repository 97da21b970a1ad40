import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { onlyPolicies, openAdmin } from '../../harness/admin-page.ts';
import { quiet } from '../../harness/quiet-page.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();
const shots = process.env.SHOTS;

/** An image of one color. */
const imageOf = async (color: string, { width = 300, height = 200 } = {}): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: color } })
    .png()
    .toBuffer();

const COLORS = ['#b7822f', '#1f7a78', '#b3362b', '#14171c', '#dfdcd3', '#7b5ea7', '#4c8c4a', '#c76b98'];

/** Saves a screenshot of each color scheme, if wanted. */
async function shoot(page: Page, name: string): Promise<void> {
  if (!shots) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.evaluate(
      (scheme) => document.documentElement.setAttribute('data-mantine-color-scheme', scheme),
      colorScheme,
    );
    await quiet(page);
    await page.screenshot({ path: `${shots}/${name}-${colorScheme}.png` });
  }
  await page.evaluate(() => document.documentElement.setAttribute('data-mantine-color-scheme', 'light'));
}

test('the whole job: folders, moving many, finding unused files, replacing, texts of many, and a download', async () => {
  const { client } = web.app;
  const add = async (name: string, color: string) =>
    client.media.upload({ body: {}, files: { file: new File([new Uint8Array(await imageOf(color))], name) } });
  const files = [];
  for (const [index, color] of COLORS.entries()) files.push(await add(`Work ${index + 1}.png`, color));
  const used = files[0]!;
  const room = await client.rooms.create({ body: { title: 'Hall' } });
  const body = { element: 'image', name: 'Poster', file_id: used.id } as const;
  await client.rooms.addElement({ params: { id: room.id }, body });
  const view = { width: 1440, height: 900 };
  const { page, close } = await openAdmin(web.app, web.browser, '/admin/media', {
    viewport: view,
    deviceScaleFactor: 1,
  });
  const list = page.getByRole('list', { name: 'Media' });
  const card = (name: string): Locator => list.getByRole('listitem').filter({ hasText: name });
  const cards = () => list.getByRole('listitem').count();
  const dialog = page.getByRole('dialog');
  await card('Work 8').waitFor();

  await page.getByRole('button', { name: 'New folder' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Exhibition');
  await dialog.getByRole('button', { name: 'Add' }).click();
  const folders = page.getByRole('navigation', { name: 'Folders' });
  await folders.getByRole('link', { name: 'Exhibition' }).waitFor();
  await page.getByRole('checkbox', { name: 'Select Work 6.png' }).click();
  await page.getByRole('checkbox', { name: 'Select Work 2.png' }).click({ modifiers: ['Shift'] });
  await page.getByText('5 selected').waitFor();
  await shoot(page, 'media-cards-1440');
  await card('Work 6').dragTo(folders.getByRole('link', { name: 'Exhibition' }));
  await page.getByText('5 files moved to Exhibition.').waitFor();
  await folders.getByRole('link', { name: 'Exhibition' }).click();
  await expect.poll(cards).toBe(5);
  await folders.getByRole('link', { name: 'All files' }).click();
  await card('Work 8').waitFor();

  await page.getByRole('combobox', { name: 'Use' }).click();
  await page.getByRole('option', { name: 'Not in use' }).click();
  await expect.poll(() => card('Work 1.png').count()).toBe(0);
  await page.getByRole('combobox', { name: 'Use' }).click();
  await page.getByRole('option', { name: 'In use', exact: true }).click();
  await expect.poll(() => card('Work 8.png').count()).toBe(0);

  await card('Work 1.png').getByRole('link').click();
  const pane = page.getByRole('dialog', { name: 'Work 1.png' });
  await pane.getByRole('link', { name: 'Hall' }).waitFor();
  await pane.getByText('Poster').waitFor();
  const other = {
    name: 'wide.png',
    mimeType: 'image/png',
    buffer: await imageOf('#00ff88', { width: 400, height: 200 }),
  };
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    pane.getByRole('button', { name: 'Replace…' }).click(),
  ]);
  await chooser.setFiles(other);
  await page.getByText('Replace “Work 1.png” with an image of different proportions?').waitFor();
  await dialog.getByRole('button', { name: 'Replace', exact: true }).click();
  await page.getByText('“Work 1.png” replaced.').waitFor();
  await pane.getByText('400 × 200 pixels').waitFor();
  await pane.getByText('Earlier versions').waitFor();
  await shoot(page, 'media-details-1440');
  const urlInRoom = async () => (await client.elements.list({ query: { room_id: room.id } }))[0]!.file!.url;
  expect(await urlInRoom()).not.toBe(used.url);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await pane.getByText('300 × 200 pixels').waitFor();
  expect(await urlInRoom()).toBe(used.url);
  await pane.getByLabel('Alternative text').fill('A poster');
  await pane.getByRole('button', { name: 'Save' }).click();
  await page.getByText('“Work 1.png” saved.').waitFor();
  await page.keyboard.press('Escape');
  await pane.waitFor({ state: 'hidden' });

  await page.getByRole('combobox', { name: 'Use' }).hover();
  await page.goto(`${web.app.origin}/admin/media?only=without_alt`);
  await card('Work 8').waitFor();
  expect(await card('Work 1.png').count()).toBe(0);
  await page.getByRole('checkbox', { name: 'All on this page' }).check();
  await page.getByRole('button', { name: 'Edit texts of 7 files' }).click();
  const cell = (column: string, row: number) => dialog.getByRole('textbox', { name: `${column}, row ${row}` });
  await cell('Alternative text', 1).fill('One');
  await cell('Alternative text', 2).fill('Two');
  await cell('Credit line', 2).fill('Museum');
  await cell('Detailed description', 2).fill('A poster.\nIn red.');
  expect(await cell('Transcript', 2).count()).toBe(0);
  await shoot(page, 'media-texts-1440');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('2 files changed.').waitFor();
  await expect.poll(cards).toBe(5);
  expect(await client.media.read({ params: { id: files[6]!.id } })).toMatchObject({
    alt: 'Two',
    credit: 'Museum',
    long_description: 'A poster.\nIn red.',
  });
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect.poll(cards).toBe(7);

  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('checkbox', { name: 'Select Work 8.png' }).check();
  await page.getByRole('button', { name: 'Keywords of 1 file' }).click();
  await dialog.getByLabel('Add', { exact: true }).pressSequentially('red,');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('1 file changed.').waitFor();
  expect(await client.media.keywords()).toEqual([{ keyword: 'red', files: 1 }]);

  await page.getByRole('checkbox', { name: 'Select Work 8.png' }).check();
  await page.getByRole('checkbox', { name: 'Select Work 7.png' }).check();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download 2 files' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('media.zip');
  const archive = await readFile(await download.path());
  expect(archive.includes('Work 7.png') && archive.includes('Work 8.png')).toBe(true);
  await close();
});

test('equal files are merged into one, and a file that is dropped is uploaded to the folder', async () => {
  const { client } = web.app;
  const content = new Uint8Array(await imageOf('#123456'));
  for (const name of ['First.png', 'Second.png'])
    await client.media.upload({ body: {}, files: { file: new File([content], name) } });
  const { data } = await client.media.list({ query: { search: 'Second.png' } });
  const room = await client.rooms.create({ body: { title: 'Room of the second' } });
  await client.rooms.addElement({
    params: { id: room.id },
    body: { element: 'image', file_id: data[0]!.id },
  });
  const folder = await client.mediaFolders.create({ body: { name: 'Dropped' } });
  const view = { width: 390, height: 844 };
  const { page, close } = await openAdmin(web.app, web.browser, '/admin/media?only=duplicates', {
    viewport: view,
    deviceScaleFactor: 1,
  });
  const list = page.getByRole('list', { name: 'Media' });
  await list.getByText('Second.png').waitFor();
  await shoot(page, 'media-cards-390');
  await page.getByRole('button', { name: 'Actions: First.png' }).click();
  await page.getByRole('menuitem', { name: 'Keep only this file' }).click();
  await page.getByText('1 file with the same content will be removed. They are used in 1 place,').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Keep only this file' }).click();
  await page.getByText('1 file removed.').waitFor();
  const [element] = await client.elements.list({ query: { room_id: room.id } });
  expect(element!.file!.name).toBe('First.png');
  await page.goto(`${web.app.origin}/admin/media?folder=${folder.id}`);
  await page.getByText('There are no files in this folder.').waitFor();
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Upload', exact: true }).click(),
  ]);
  await chooser.setFiles({ name: 'New.png', mimeType: 'image/png', buffer: await imageOf('#654321') });
  await list.getByText('New.png').waitFor();
  expect((await client.mediaFolders.list()).find(({ name }) => name === 'Dropped')!.files).toBe(1);
  await list.getByRole('link', { name: 'New.png' }).click();
  await page.getByRole('dialog', { name: 'New.png' }).getByText('Nowhere').waitFor();
  await shoot(page, 'media-details-390');
  await close();
});

test('users with only the right to add files replace their own ones', async () => {
  const { client } = web.app;
  const file = new File([new Uint8Array(await imageOf('#abcdef'))], 'Theirs.png');
  await client.media.upload({ body: {}, files: { file } });
  const policies = onlyPolicies({ media: { view_any: true, create: true, update: false, delete: false } });
  const { page, close } = await openAdmin(web.app, web.browser, '/admin/media', { policies });
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await (await chooser).setFiles({ name: 'Mine.png', mimeType: 'image/png', buffer: await imageOf('#fedcba') });
  for (const [name, count] of [
    ['Mine.png', 1],
    ['Theirs.png', 0],
  ] as const) {
    await page.getByRole('list', { name: 'Media' }).getByRole('link', { name }).click();
    const pane = page.getByRole('dialog', { name });
    await pane.getByRole('button', { name: 'Save' }).waitFor();
    expect(await pane.getByRole('button', { name: 'Replace…' }).count()).toBe(count);
    await page.keyboard.press('Escape');
    await pane.waitFor({ state: 'hidden' });
  }
  await close();
});
