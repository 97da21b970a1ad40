import { readFile } from 'node:fs/promises';
import { afterAll, expect, test } from 'vitest';
import { accessibilityFaults } from '../../harness/admin-page.ts';
import { sharedEditor } from '../../harness/shared-window.ts';
import { Translator } from '../../harness/stand-ins/translator.ts';
import { webSuite } from '../../harness/web-suite.ts';

const translator = new Translator();
const web = webSuite({
  guard: async () => {
    await translator.start();
    return { allowed: [new URL(translator.url).host] };
  },
});
afterAll(() => translator.stop());
const open = sharedEditor(web);

test('texts are translated beside their sources, in two languages; outdated ones are marked and confirmed', async () => {
  const { client } = web.app;
  const { id } = await client.rooms.create({
    body: { title: 'Harbour', description: '<p>Ships <b>and</b> boats</p>' },
  });
  const params = { id };
  const image = await client.rooms.addElement({
    params,
    body: { element: 'image', name: 'Boat', config: { title: 'Boat' } },
  });
  const translations = async () => {
    const { config, elements } = await client.rooms.read({ params });
    return { room: config.translations, image: elements[0]!.config.translations };
  };
  const editor = await open(id);
  const { page } = editor;
  await editor.press('Shift+T');
  const dialog = page.getByRole('dialog', { name: 'Translations' });
  await dialog.getByText('Choose the languages that visitors can read').waitFor();
  const add = dialog.getByRole('combobox', { name: 'Visitors can also choose' });
  for (const language of ['Dutch', 'Arabic']) {
    await add.fill(language);
    await page.getByRole('option', { name: language, exact: true }).click();
  }
  await add.press('Tab');
  await dialog.getByText('0 of 3 translated').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  const list = dialog.getByRole('listbox', { name: 'Texts' });
  const field = (language: string) => dialog.getByRole('textbox', { name: `Translation (${language})` });
  await list.getByRole('option', { name: /The space · Title/ }).click();
  await field('Dutch').fill('Haven');
  await field('Dutch').press('Control+Enter');
  await dialog.getByText('1 of 3 translated').waitFor();
  // The next open text is the formatted description.
  await field('Dutch').fill('Schepen');
  await list.getByRole('option', { name: /Boat/ }).click();
  await field('Dutch').fill('Boot');
  await dialog.getByRole('combobox', { name: 'Translate into' }).click();
  await page.getByRole('option', { name: 'Arabic', exact: true }).click();
  await list.getByRole('option', { name: /Boat/ }).click();
  await field('Arabic').fill('قارب');
  expect(await field('Arabic').evaluate((node) => getComputedStyle(node).direction)).toBe('rtl');
  await dialog.getByRole('combobox', { name: 'Translate into' }).click();
  await page.getByRole('option', { name: 'Dutch', exact: true }).click();
  await dialog.getByText('3 of 3 translated').waitFor();
  await editor.saved();
  expect(await translations()).toMatchObject({
    room: { 'nl:title': { text: 'Haven' }, 'nl:description': { text: '<p>Schepen</p>' } },
    image: { 'nl:config.title': { text: 'Boot' }, 'ar:config.title': { text: 'قارب' } },
  });
  // Somebody else changes the source.
  await client.elements.update({ params: { id: image.id }, body: { config: { title: 'Ship' } } });
  await dialog.getByText('2 of 3 translated · 1 outdated').waitFor();
  await list.getByRole('option', { name: /Title Ship/ }).click();
  await dialog.getByRole('button', { name: 'Still correct' }).click();
  await dialog.getByText('3 of 3 translated').waitFor();
  await editor.saved();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await editor.saved();
  await editor.press('Shift+T');
  await dialog.getByText('2 of 3 translated · 1 outdated').waitFor();
  expect(editor.faults).toEqual([]);
});

test('texts go to translators as a file, and come back after a look at what changes', async () => {
  const { client } = web.app;
  const { id } = await client.rooms.create({
    body: { title: 'Harbour', config: { language: 'en', languages: ['nl'] } },
  });
  const structure = await client.endpoints.create({ body: { name: 'The quay', slug: 'quay', room_id: id } });
  const editor = await open(id);
  const { page } = editor;
  await editor.press('Shift+T');
  const dialog = page.getByRole('dialog', { name: 'Translations' });
  await dialog.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Include the texts of media files' }).click();
  await page.locator('[role="menuitemcheckbox"][aria-checked="true"]').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'XLIFF 2.1' }).click(),
  ]);
  const text = await readFile(await download.path(), 'utf8');
  const filled = text
    .replace('<source>Harbour</source>', '$&<target>Haven</target>')
    .replace('<source>The quay</source>', '$&<target>De kade</target>');
  const buffer = Buffer.from(filled);
  const choose = async (name: string, content: Buffer) => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      dialog.getByRole('button', { name: 'Import', exact: true }).click(),
    ]);
    await chooser.setFiles({ name, mimeType: 'application/xliff+xml', buffer: content });
  };
  await choose('nl.xlf', buffer);
  await dialog.getByRole('button', { name: 'Import 2 translations' }).click();
  await dialog.getByText('1 of 1 translated').waitFor();
  const { translations: titles } = await client.endpoints.read({ params: { id: structure.id } });
  expect(titles).toMatchObject({ nl: { name: { text: 'De kade' } } });
  await client.endpoints.update({ params: { id: structure.id }, body: { name: 'The pier' } });
  await client.rooms.update({ params: { id }, body: { title: 'Port' } });
  await dialog.getByText('1 outdated').waitFor();
  await choose('late.xlf', buffer);
  await dialog.getByText('The space, Title: The text has changed since the export. Export it again.').waitFor();
  await dialog.getByText(`Structure ${structure.id}, Name: The text has changed`).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(editor.faults).toEqual([]);
});

test('missing texts are drafted by machine translation, and confirmed by a person', async () => {
  const { client } = web.app;
  const { id } = await client.rooms.create({
    body: { title: 'Harbour', description: '<p>Ships</p>', config: { language: 'en', languages: ['nl'] } },
  });
  const editor = await open(id);
  const { page } = editor;
  await editor.press('Shift+T');
  const dialog = page.getByRole('dialog', { name: 'Translations' });
  const { secret } = await client.translationWebhook.update({ body: { url: translator.url } });
  translator.secret = secret!;
  await dialog.getByRole('button', { name: 'Draft with machine translation' }).click();
  await page.getByRole('menuitem', { name: 'Missing texts (2)' }).click();
  await page.getByText('2 texts drafted. Visitors see a draft once it is confirmed.').waitFor();
  await dialog.getByText('0 of 2 translated · 2 to confirm').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await dialog.getByRole('option', { name: /The space · Title/ }).click();
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.getByText('1 of 2 translated · 1 to confirm').waitFor();
  await editor.saved();
  const { config } = await client.rooms.read({ params: { id } });
  expect(config.translations).toMatchObject({ 'nl:title': { text: 'HARBOUR' } });
  expect(config.translations!['nl:title']).not.toHaveProperty('draft');
  expect(config.translations!['nl:description']).toMatchObject({ text: '<p>SHIPS</p>', draft: true });
  expect(translator.wrong).toEqual([]);
  expect(editor.faults).toEqual([]);
});
