import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { placesOf } from '../../../engine/document/places.ts';
import { parseRoom } from '../../../engine/document/room.ts';
import { accessibilityFaults, openAdmin } from '../../harness/admin-page.ts';
import { dropFromDisk } from '../../harness/dropped-files.ts';
import { tourPhoto } from '../../harness/tour-photos.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'enfilade-tour-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Photos as files on disk. @returns their paths */
async function onDisk(photos: readonly File[]): Promise<string[]> {
  const paths: string[] = [];
  for (const photo of photos) {
    const path = join(folder, photo.name);
    await writeFile(path, new Uint8Array(await photo.arrayBuffer()));
    paths.push(path);
  }
  return paths;
}

const SIZE = [400, 200] as const;

test('dropped photos become a tour: planned, without the broken one, and opened in the editor', async () => {
  const paths = await onDisk([
    await tourPhoto('IMG_10_attic.jpg', { size: SIZE, heading: 90 }),
    await tourPhoto('IMG_2_kitchen.jpg', { size: SIZE }),
    await tourPhoto('IMG_1_hall.jpg', { size: SIZE, heading: 270 }),
    await tourPhoto('IMG_3_plan.jpg', { size: [300, 280] }),
    new File(['no image at all'], 'IMG_4_broken.jpg'),
  ]);
  const { client } = web.app;
  const { page, context, faults } = await openAdmin(web.app, web.browser, '/admin/spaces/new');
  const zone = page.getByText('Drop 360° photos, a 3D model or images here');
  await zone.waitFor();
  const box = (await zone.boundingBox())!;
  await dropFromDisk({ page }, paths, box.x + box.width / 2, box.y + box.height / 2);
  const summary = page.getByText('3 places, ordered by file name. 1 skipped.');
  await summary.waitFor();
  const rows = page.getByRole('region', { name: 'Photos' }).getByRole('listitem');
  const texts = await rows.allInnerTexts();
  expect(texts.map((text) => text.split('\n')[0])).toEqual(['1. Hall', '2. Kitchen', '3. Attic', 'IMG_3_plan.jpg']);
  expect(texts[0]).toContain('Faces 270°.');
  expect(texts[1]).toContain('No direction recorded.');
  expect(texts[3]).toContain('Skipped. Not a 360° photo');
  const broken = page.getByRole('alert', { name: /^IMG_4_broken\.jpg: / });
  await broken.waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);

  // The draft outlives a reload, and photos that are dropped again are not sent again.
  let uploads = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/backend/media')) uploads++;
  });
  await page.reload();
  await summary.waitFor();
  const more = page.getByText('Add 360° photos');
  await more.scrollIntoViewIfNeeded();
  const place = (await more.boundingBox())!;
  await dropFromDisk({ page }, paths, place.x + place.width / 2, place.y + place.height / 2);
  await broken.waitFor();
  expect(uploads).toBe(1);
  await page.getByRole('button', { name: 'Dismiss IMG_4_broken.jpg' }).click();
  await page.getByRole('button', { name: 'Remove IMG_3_plan.jpg' }).click();
  await page.getByText('3 places, ordered by file name. Places are').waitFor();

  // A name that is taken is said at its field.
  await client.rooms.create({ body: { title: 'Mill' } });
  await page.getByLabel('Title').fill('Mill');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByText('Another space has this name. Choose another one.').waitFor();
  await page.getByLabel('Title').fill('The mill');
  await page.getByText('With an access token').click();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.waitForURL(/\/admin\/editor\/\d+/);
  const id = Number(/\/editor\/(\d+)/.exec(page.url())![1]);
  const room = parseRoom(await client.rooms.read({ params: { id } }));
  expect(room.title).toBe('The mill');
  expect(placesOf(room.elements).map(({ config }) => config.name)).toEqual(['Hall', 'Kitchen', 'Attic']);
  expect(room.elements.filter(({ element }) => element === 'button')).toHaveLength(4);
  const [endpoint] = (await client.endpoints.list()).filter(({ room_id }) => room_id === id);
  expect(endpoint).toMatchObject({ path: '/the-mill', is_protected: true, access_tokens_count: 10 });
  // The broken file, twice, and the name that is taken.
  const refused = faults.filter((fault) => !/^(?:415|422): |status of (?:415|422) /.test(fault));
  expect([refused, faults.length]).toEqual([[], 6]);
  await context.close();
});

test('a tour needs two photos; links between neighbors are planned anew; more than 200 files are refused', async () => {
  const photos = await onDisk(
    await Promise.all([1, 2, 3, 4].map((rank) => tourPhoto(`Room ${rank}.jpg`, { size: SIZE, heading: rank }))),
  );
  const { page, context } = await openAdmin(web.app, web.browser, '/admin/spaces/new');
  await page.setInputFiles('input[type="file"]', photos);
  await page.getByText('4 places, ordered by file name.').waitFor();
  await page.getByRole('combobox', { name: 'Links between places' }).click();
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/backend/tours')),
    page.getByRole('option', { name: 'Neighbors by position, both ways' }).click(),
  ]);
  const { data } = await answer.json();
  expect(data.places.map(({ links }: { links: number[] }) => links.length)).toEqual([2, 2, 2, 2]);
  for (const rank of [1, 2]) await page.getByRole('button', { name: `Remove Room ${rank}.jpg` }).click();
  await page.getByText('2 places, ordered by file name.').waitFor();
  await page.getByRole('button', { name: 'Remove Room 3.jpg' }).click();
  await page.getByRole('region', { name: 'First view' }).waitFor();
  await page.getByRole('button', { name: 'Start over' }).click();
  const many = Array.from({ length: 205 }, (_, index) => new File(['x'], `many ${index}.jpg`));
  await page.setInputFiles('input[type="file"]', await onDisk(many));
  await page.getByText('many 200.jpg, many 201.jpg, many 202.jpg and 2 more: choose at most 200 files.').waitFor();
  await context.close();
});
