import sharp from 'sharp';
import { expect, test } from 'vitest';
import { openAdmin } from '../../harness/admin-page.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

test('a gallery is made from a spreadsheet, with enough rooms, and its works on the walls', async () => {
  const { client } = web.app;
  const buffer = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#264d73' } })
    .jpeg()
    .toBuffer();
  const rows = Array.from({ length: 40 }, (_, nth) => `work.jpg,Work ${nth + 1},Kim,${1950 + nth},80 x 60 cm`);
  const sheet = ['Image,Title,Artist,Year,Size', ...rows, 'lost.jpg,Lost,,,'].join('\n');
  const { page, close, faults } = await openAdmin(web.app, web.browser, '/admin/spaces/new');
  await page.getByRole('button', { name: 'Start with a gallery', exact: true }).click();
  await page.getByText(/^2 rooms, /).waitFor();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose files' }).click();
  await (await chooser).setFiles([
    { name: 'works.csv', mimeType: 'text/csv', buffer: Buffer.from(sheet) },
    { name: 'work.jpg', mimeType: 'image/jpeg', buffer },
  ]);
  await page.getByText('Row 42: No image is named “lost.jpg” in the media library.').waitFor();
  await page.getByText(/^\d+ rooms, 7\.0 × [\d.]+ m, 40 works$/).waitFor();
  await page.getByLabel('Title').fill('Blue works');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('link', { name: `${web.app.origin}/blue-works` }).waitFor();
  const [endpoint] = (await client.endpoints.list()).filter(({ slug }) => slug === 'blue-works');
  const room = await client.rooms.read({ params: { id: endpoint!.room_id! } });
  expect(room.template).toMatchObject({ model_type: 'model', file: { type: 'object' }, depth: room.depth });
  const groups = room.elements.filter(({ element }) => element === 'group');
  expect(groups.flatMap(({ children }) => children.map(({ name }) => name))).toHaveLength(40);
  expect(groups.every(({ width, height }) => width! > 0 && height === room.height)).toBe(true);
  expect(room.config.camera.far).toBeGreaterThan(room.depth);
  expect(faults).toEqual([]);
  await close();
});
