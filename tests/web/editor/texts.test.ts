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
