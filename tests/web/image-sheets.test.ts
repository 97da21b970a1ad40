import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { enterRoom, LOOKED_AT, newVisitor } from '../harness/browser.ts';
import { buildRoom, plainRoom, type Written } from '../harness/canvas-page.ts';
import { isColor, placeOf, uploadColors } from '../harness/color-images.ts';
import { pixelAt, pixelsOf } from '../harness/picture.ts';
import { webSuite } from '../harness/web-suite.ts';

const suite = webSuite({ environment: async () => ({ OPTIMIZE_MEDIA: '1' }) });
const COUNT = 60;
const COLUMNS = 10;
let folder: string;
let files: number[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'enfilade-sheets-'));
  files = await uploadColors(suite.app, folder, COUNT);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A wall of small images. */
const wall = (ids: readonly number[]): Written[] =>
  ids.map((file_id, index) => ({
    element: 'image',
    name: `No. ${index}`,
    file_id,
    width: 20,
    ignore_light: true,
    position_x: (index % COLUMNS) * 40 - 180,
    position_y: 100 - Math.floor(index / COLUMNS) * 34,
    position_z: -300,
  }));

/** Numbers of the images whose center has another color. */
async function wrongIn(page: Page): Promise<number[]> {
  const pixels = await pixelsOf(page);
  const found: number[] = [];
  for (let index = 0; index < COUNT; index++) {
    const { x, y } = await placeOf(page, `No. ${index}`);
    if (!isColor(pixelAt(pixels, x, y), index)) found.push(index);
  }
  return found;
}

/** Looks at a room. @returns the requests of small copies, and of sheets with their status */
async function look(path: string): Promise<{ copies: number; sheets: number[] }> {
  const visitor = await newVisitor(suite.browser, { ...LOOKED_AT, isNew: true });
  const { page } = visitor;
  const seen = { copies: 0, sheets: [] as number[] };
  page.on('response', (response) => {
    if (response.url().endsWith('?width=128')) seen.copies++;
    if (response.url().includes('/media/sheets/')) seen.sheets.push(response.status());
  });
  await enterRoom(page, suite.app.origin + path);
  await page.addStyleTag({ content: '#overlay { display: none }' });
  await expect.poll(() => wrongIn(page), { timeout: 30_000 }).toEqual([]);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/sheets-${seen.copies}.png` });
  expect(visitor.faults).toEqual([]);
  await visitor.context.close();
  return seen;
}

test('a room with 60 images loads them one by one until their sheet is packed, then in one request', async () => {
  const { app } = suite;
  const { id } = await buildRoom(app, wall(files), plainRoom(1));
  const { slug } = await app.client.endpoints.create({ body: { name: 'Wall', room_id: id } });
  const { image_sheets } = await app.client.visit.one({ params: { slugOne: slug } });
  const first = await look(`/${slug}`);
  expect(first.copies).toBe(COUNT);
  expect(new Set(first.sheets)).toEqual(new Set([202]));
  const [sheet] = image_sheets!;
  const isPacked = async () => (await fetch(app.origin + sheet!.url)).status;
  await expect.poll(isPacked, { timeout: 60_000, interval: 200 }).toBe(200);
  expect(await look(`/${slug}`)).toEqual({ copies: 0, sheets: [200] });

  // An image with transparent parts is loaded by itself, like one that was added since.
  const path = join(folder, 'clear.png');
  await sharp({ create: { width: 1200, height: 900, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0.5 } } })
    .png()
    .toFile(path);
  const clear = await app.upload(path);
  const added = [...files, clear.id, clear.id].map((file_id, index) => ({ file_id, index }));
  const { id: other } = await buildRoom(app, wall(added.map(({ file_id }) => file_id)), plainRoom(1));
  const { slug: mixed } = await app.client.endpoints.create({ body: { name: 'Mixed', room_id: other } });
  const [mixedSheet] = (await app.client.visit.one({ params: { slugOne: mixed } })).image_sheets!;
  const isMixedPacked = async () => (await fetch(app.origin + mixedSheet!.url)).status;
  await expect.poll(isMixedPacked, { timeout: 60_000, interval: 200 }).toBe(200);
  expect(await look(`/${mixed}`)).toEqual({ copies: 1, sheets: [200] });
});
