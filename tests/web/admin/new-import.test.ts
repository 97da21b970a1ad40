import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityFaults, openAdmin } from '../../harness/admin-page.ts';
import { dropFromDisk } from '../../harness/dropped-files.ts';
import { pannellumTour } from '../../harness/made-tours.ts';
import { webSuite } from '../../harness/web-suite.ts';
import { zipOf } from '../../harness/zip.ts';

const web = webSuite();

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'enfilade-import-'));
  const { 'images/kitchen/3.png': _, ...tour } = await pannellumTour();
  for (const [path, content] of Object.entries(tour)) {
    await mkdir(join(folder, 'mill', dirname(path)), { recursive: true });
    await writeFile(join(folder, 'mill', path), content);
  }
  const entries = Object.entries(await pannellumTour()).map(([name, content]) => ({ name, content }));
  await writeFile(join(folder, 'mill.zip'), zipOf(entries));
});
afterAll(() => rm(folder, { recursive: true }));

test('a dropped folder with a tour is planned, and imported into a space that opens in the editor', async () => {
  const { client } = web.app;
  const { page, context, faults } = await openAdmin(web.app, web.browser, '/admin/spaces/new');
  const zone = page.getByText('Drop 360° photos, a 3D model or images here');
  await zone.waitFor();
  const box = (await zone.boundingBox())!;
  await dropFromDisk({ page }, [join(folder, 'mill')], box.x + box.width / 2, box.y + box.height / 2);
  await page.getByText('A tour from Pannellum: 2 places with 1 link and 2 other hotspots.').waitFor();
  expect(await page.getByLabel('Title').inputValue()).toBe('Mill');
  const rows = await page.getByRole('region', { name: 'Places' }).getByRole('listitem').allInnerTexts();
  expect(rows.map((text) => text.split('\n')[0])).toEqual(['1. Hall (start)', '2. Attic']);
  const left = page.getByRole('region', { name: 'Left out' });
  await expect.poll(() => left.textContent()).toContain('kitchen/3.png is missing');
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.waitForURL(/\/admin\/editor\/\d+/);
  const id = Number(/\d+$/.exec(new URL(page.url()).pathname)![0]);
  const room = await client.rooms.read({ params: { id } });
  expect(room.elements.filter(({ element }) => element === 'view_point')).toHaveLength(2);
  expect(faults).toEqual([]);
  await context.close();
});

test('an archive is imported, too; without a tour, a file is refused, and so is a damaged archive', async () => {
  const { page, context } = await openAdmin(web.app, web.browser, '/admin/spaces/new');
  await page.getByText('Drop 360° photos, a 3D model or images here').waitFor();
  const text = { name: 'notes.json', mimeType: 'application/json', buffer: Buffer.from('{"name": "package"}') };
  await page.setInputFiles('input[type="file"]', text);
  await page.getByText('notes.json: Use one of').waitFor();
  const broken = { name: 'broken.zip', mimeType: 'application/zip', buffer: Buffer.from('PK') };
  await page.setInputFiles('input[type="file"]', broken);
  await page.getByText('broken.zip: The archive is damaged, or not a ZIP archive.').waitFor();
  await page.setInputFiles('input[type="file"]', join(folder, 'mill.zip'));
  await page.getByText('A tour from Pannellum: 3 places').waitFor();
  await page.getByLabel('Address').fill('another-mill');
  await page.getByLabel('Title').fill('Another mill');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.waitForURL(/\/admin\/editor\/\d+/);
  await context.close();
});
