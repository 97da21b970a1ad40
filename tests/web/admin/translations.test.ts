import { expect, test } from 'vitest';
import { accessibilityFaults, openAdmin } from '../../harness/admin-page.ts';
import { Translator } from '../../harness/stand-ins/translator.ts';
import { webSuite } from '../../harness/web-suite.ts';

const translator = new Translator();
const web = webSuite({
  guard: async () => {
    await translator.start();
    return { allowed: [new URL(translator.url).host] };
  },
});

test('the translation webhook is set up, its secret shown once, and tested', async () => {
  const { page, close } = await openAdmin(web.app, web.browser, '/admin/settings/translation');
  const url = page.getByRole('textbox', { name: 'Translation webhook' });
  await url.fill('hook');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Use a URL such as https://example.com/translate.').waitFor();
  await url.fill(`${translator.url}/translate`);
  await page.getByRole('button', { name: 'Save' }).click();
  const secret = page.getByRole('textbox', { name: 'Secret' });
  translator.secret = await secret.inputValue();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Test' }).click();
  await page.getByText('“Good morning” is “GOOD MORNING” in Dutch.').waitFor();
  await page.getByRole('button', { name: 'New secret' }).click();
  await page.getByRole('button', { name: 'Create new secret' }).click();
  expect(await secret.inputValue()).not.toBe(translator.secret);
  await page.getByRole('button', { name: 'Done' }).click();
  await close();
  await translator.stop();
});

test('the title of a structure is translated beside the form, and an outdated one is confirmed', async () => {
  const { client } = web.app;
  const config = { language: 'en', languages: ['nl', 'ar'] };
  const room = await client.rooms.create({ body: { title: 'Harbour', config } });
  const { id } = await client.endpoints.create({ body: { name: 'The quay', room_id: room.id } });
  const params = { id };
  const { page, close } = await openAdmin(web.app, web.browser, `/admin/structures/${id}`);
  const section = page.getByRole('region', { name: 'Languages' });
  const field = section.getByRole('textbox', { name: 'Translation: Title' });
  const save = section.getByRole('button', { name: 'Save translations' });
  // The first language of the space.
  await section.getByText('Missing').waitFor();
  await field.fill('De kade');
  await save.click();
  await section.getByText('Translated', { exact: true }).waitFor();
  expect((await client.endpoints.read({ params })).translations).toMatchObject({ nl: { name: { text: 'De kade' } } });
  // The form can still be saved: its version followed.
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('The old quay');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await section.getByText('Outdated').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await save.click();
  await section.getByText('Translated', { exact: true }).waitFor();
  await section.getByRole('combobox', { name: 'Translate into' }).click();
  await page.getByRole('option', { name: 'Arabic', exact: true }).click();
  expect(await field.evaluate((node) => getComputedStyle(node).direction)).toBe('rtl');
  await close();
});
