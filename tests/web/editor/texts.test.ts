import { expect, test } from 'vitest';
import { accessibilityFaults } from '../../harness/admin-page.ts';
import { sharedEditor } from '../../harness/shared-window.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();
const open = sharedEditor(web);

async function newRoom(): Promise<number> {
  const { client } = web.app;
  const { id } = await client.rooms.create({ body: { title: 'The old hall' } });
  const params = { id };
  for (const nth of [1, 2, 3])
    await client.rooms.addElement({
      params,
      body: { element: 'image', name: `Work ${nth}`, config: { title: `Old work ${nth}`, author: 'Unknown' } },
    });
  await client.rooms.addElement({
    params,
    body: { element: 'html', name: 'Intro', config: { body: '<p>An old text</p>' } },
  });
  return id;
}

const settingsOf = async (id: number, name: string) => {
  const { elements } = await web.app.client.rooms.read({ params: { id } });
  return elements.find((element) => element.name === name)?.config as Record<string, unknown> | undefined;
};

test('texts are found and replaced, one or all, and undone as one', async () => {
  const id = await newRoom();
  const editor = await open(id);
  const { page } = editor;
  await editor.press('Control+h');
  const panel = page.getByRole('region', { name: 'Find and replace' });
  await panel.getByRole('textbox', { name: 'Find' }).fill('old');
  await panel.getByText('6 matches in 6 texts').waitFor();
  await panel.getByRole('textbox', { name: 'Replace with' }).fill('New');
  const found = panel.getByRole('list', { name: 'Found texts' }).getByRole('listitem');
  await found.filter({ hasText: 'Work 2' }).getByRole('button', { name: 'Replace' }).click();
  await panel.getByText('Replaced 1 match.').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await panel.getByRole('button', { name: 'Replace all' }).click();
  await panel.getByText('Replaced 5 matches.').waitFor();
  await editor.saved();
  expect((await settingsOf(id, 'Intro'))?.body).toBe('<p>An New text</p>');
  expect((await web.app.client.rooms.read({ params: { id } })).title).toBe('The New hall');
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await editor.saved();
  expect((await settingsOf(id, 'Intro'))?.body).toBe('<p>An old text</p>');
  expect((await settingsOf(id, 'Work 2'))?.title).toBe('New work 2');
  expect(editor.faults).toEqual([]);
});

test('texts are edited in a table: cell by cell, and pasted from a spreadsheet', async () => {
  const id = await newRoom();
  const editor = await open(id);
  const { page } = editor;
  await editor.press('t');
  const dialog = page.getByRole('dialog', { name: 'Texts' });
  const cell = (name: string) => dialog.getByRole('textbox', { name });
  await cell('Title, row 1').fill('Night');
  await page.keyboard.press('Tab');
  await page.keyboard.insertText('Anna Berg');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Author, row 2');
  expect(await accessibilityFaults(page)).toEqual([]);
  await cell('Title, row 2').focus();
  await page.evaluate(() => {
    const text = 'Dawn\tB. Cole\t1901\t"A hill, ""blue"""\nNoon\t\t1902\n';
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', `${text}${'x'.repeat(300)}\tNobody\n`);
    const pasted = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.activeElement!.dispatchEvent(pasted);
  });
  await dialog.getByText('Intro, Title: this type has none.').waitFor();
  await dialog.getByText('Intro, Author: this type has none.').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await editor.saved();
  expect(await settingsOf(id, 'Work 1')).toMatchObject({ title: 'Night', author: 'Anna Berg' });
  const dawn = { title: 'Dawn', author: 'B. Cole', date: '1901', alt: 'A hill, "blue"' };
  expect(await settingsOf(id, 'Work 2')).toMatchObject(dawn);
  expect(await settingsOf(id, 'Work 3')).toMatchObject({ title: 'Noon', author: '', date: '1902' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await editor.saved();
  expect(await settingsOf(id, 'Work 2')).toMatchObject({ title: 'Old work 2', date: '' });
  expect(editor.faults).toEqual([]);
});

test('descriptions and transcripts are filled in for a whole room, also in several lines', async () => {
  const { client } = web.app;
  const { id } = await client.rooms.create({ body: { title: 'Alternatives' } });
  const params = { id };
  const photo = await web.app.upload('fixtures/media/panorama.jpg');
  for (const body of [
    { element: 'image', name: 'Work', config: { alt: 'A hill' } },
    { element: 'iframe', name: 'Map', config: { src: 'https://maps.example/' } },
    { element: 'view_point', name: 'Court', file_id: photo.id },
    { element: 'view_point', name: 'Corner' },
    { element: 'audio', name: 'Talk' },
    { element: 'text', name: 'Sign', config: { text: 'Exit' } },
  ] as const)
    await client.rooms.addElement({ params, body });
  const editor = await open(id);
  const { page } = editor;
  await editor.press('t');
  const dialog = page.getByRole('dialog', { name: 'Texts' });
  const cell = (name: string) => dialog.getByRole('textbox', { name });
  await dialog.getByText('Accessibility', { exact: true }).click();
  await dialog.getByRole('checkbox', { name: 'Without alternative text' }).check();
  await expect.poll(() => dialog.getByRole('row').count()).toBe(4);
  const names = [1, 2, 3].map((row) => cell(`Name, row ${row}`).inputValue());
  expect(await Promise.all(names)).toEqual(['Map', 'Court', 'Talk']);
  await cell('Detailed description, row 2').focus();
  await page.keyboard.insertText('A court.');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.insertText('A well.');
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/texts-table.png` });
  await page.keyboard.press('Enter');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Detailed description, row 3');
  expect(await accessibilityFaults(page)).toEqual([]);
  const paste = (text: string, html = '') =>
    page.evaluate(
      ([plain, table]) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', plain!);
        if (table) clipboardData.setData('text/html', table);
        const pasted = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
        return document.activeElement!.dispatchEvent(pasted);
      },
      [text, html],
    );
  // Paragraphs are left to the browser, which puts them into the cell.
  await cell('Transcript, row 3').focus();
  expect(await paste('One.\nTwo.')).toBe(true);
  await cell('Alternative text, row 1').focus();
  expect(
    await paste(
      'A map\t"Streets.\nA river."\tspoken\nA court with a well\nA talk\t\t"Hello.\nBye."\n',
      '<table></table>',
    ),
  ).toBe(false);
  await dialog.getByText('Map, Transcript: this type has none.').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await editor.saved();
  expect(await settingsOf(id, 'Map')).toMatchObject({ alt: 'A map', long_description: 'Streets.\nA river.' });
  expect(await settingsOf(id, 'Court')).toMatchObject({
    alt: 'A court with a well',
    long_description: 'A court.\nA well.',
  });
  expect(await settingsOf(id, 'Talk')).toMatchObject({ alt: 'A talk', transcript: 'Hello.\nBye.' });
  expect(editor.faults).toEqual([]);
});

test('the texts of an element for accessibility are in one panel', async () => {
  const { client } = web.app;
  const { id } = await client.rooms.create({ body: { title: 'One film' } });
  const editor = await open(id);
  const { page } = editor;
  await editor.add('Native video');
  await editor.tab('Settings');
  await editor.fill('Name', 'Film');
  const panel = page.getByRole('group', { name: 'Accessibility' });
  await panel.getByRole('textbox', { name: 'Alternative text' }).fill('A village wakes');
  await panel.getByRole('textbox', { name: 'Detailed description' }).fill('Mist.\nThen sun.');
  await panel.getByRole('textbox', { name: 'Transcript' }).fill('Birds.');
  await panel.getByText('Audio description', { exact: true }).waitFor();
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/element-panel.png` });
  expect(await accessibilityFaults(page)).toEqual([]);
  await editor.save();
  await editor.saved();
  expect(await settingsOf(id, 'Film')).toMatchObject({
    ...{ alt: 'A village wakes', long_description: 'Mist.\nThen sun.', transcript: 'Birds.' },
  });
  expect(editor.faults).toEqual([]);
});
