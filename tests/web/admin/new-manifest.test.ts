import { afterAll, expect, test } from 'vitest';
import * as recipes from '../../../fixtures/make/iiif-manifests.ts';
import { accessibilityFaults, openAdmin } from '../../harness/admin-page.ts';
import { IiifServer } from '../../harness/stand-ins/iiif-server.ts';
import { webSuite } from '../../harness/web-suite.ts';

const server = new IiifServer();
const web = webSuite({
  guard: async () => {
    await server.start();
    return { allowed: [new URL(server.url).host] };
  },
});
afterAll(() => server.stop());

test('a manifest at a URL is read, shows what fails, and is hung in a space that opens in the editor', async () => {
  const url = server.add(recipes.book(server.url));
  for (let nth = 1; nth <= 4; nth++) server.image(`/images/page-${nth}.png`, { width: 90, height: 140 });
  const { page, context, faults } = await openAdmin(web.app, web.browser, '/admin/spaces/new');
  await page.getByLabel('IIIF manifest').fill(url);
  await page.getByRole('button', { name: 'Read manifest' }).click();
  await page.getByText('A IIIF manifest: 5 works, hung in a new gallery.').waitFor();
  expect(await page.getByLabel('Title').inputValue()).toBe('A book');
  const rows = await page.getByRole('region', { name: 'Works' }).getByRole('listitem').allInnerTexts();
  expect(rows[1]).toBe('2. Frontispiece');
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Press Create to leave them out.').waitFor();
  await expect
    .poll(() => page.getByRole('region', { name: 'Remarks' }).textContent())
    .toContain('“A book, 5” is left out: The URL returned status 404. Check it.');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.waitForURL(/\/admin\/editor\/\d+/);
  const id = Number(/\d+$/.exec(new URL(page.url()).pathname)![0]);
  const room = await web.app.client.rooms.read({ params: { id } });
  expect(room.elements.flatMap(({ children }) => children ?? [])).toHaveLength(4);
  expect(faults).toEqual([]);
  await context.close();
});

test('a dropped manifest is read; a URL without one is an error', async () => {
  const { page, context } = await openAdmin(web.app, web.browser, '/admin/spaces/new');
  await page.getByLabel('IIIF manifest').fill(server.put('/page', '<html>', 'text/html'));
  await page.getByRole('button', { name: 'Read manifest' }).click();
  await page.getByText('This is a web page, not a IIIF manifest.').waitFor();
  await page.getByRole('button', { name: 'Start over' }).click();
  const buffer = Buffer.from(JSON.stringify(recipes.multilingual(server.url)));
  await page.getByText('Drop 360° photos, a 3D model or images here').waitFor();
  await page.setInputFiles('input[type="file"]', { name: 'manifest.json', mimeType: 'application/json', buffer });
  await page.getByText('A IIIF manifest: 1 work, hung in a new gallery.').waitFor();
  expect(await page.getByLabel('Title').inputValue()).toBe("Whistler's Mother");
  await context.close();
});
