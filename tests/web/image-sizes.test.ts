import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { enterRoom, LOOKED_AT, newVisitor } from '../harness/browser.ts';
import { pixelAt, pixelsOf } from '../harness/picture.ts';
import { webSuite } from '../harness/web-suite.ts';
import { loseContext } from './elements/play.ts';

const suite = webSuite();
let folder: string;
let file_id: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'enfilade-images-'));
  const path = join(folder, 'large.jpg');
  await sharp({ create: { width: 4000, height: 3000, channels: 3, background: '#c02020' } })
    .jpeg()
    .toFile(path);
  file_id = (await suite.app.upload(path)).id;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const image = (name: string, position: object) => ({
  element: 'image' as const,
  name,
  file_id,
  width: 160,
  ignore_light: true,
  ...position,
});

/** Bitmaps that are open, counted where they are created and closed. */
const countBitmaps = (page: Page) =>
  page.addInitScript(() => {
    const open = new Set<ImageBitmap>();
    Object.assign(window, { openBitmaps: open });
    const create = window.createImageBitmap.bind(window) as (...args: unknown[]) => Promise<ImageBitmap>;
    window.createImageBitmap = (async (...args: unknown[]) => {
      const bitmap = await create(...args);
      open.add(bitmap);
      return bitmap;
    }) as typeof createImageBitmap;
    const close = ImageBitmap.prototype.close;
    ImageBitmap.prototype.close = function () {
      open.delete(this);
      close.call(this);
    };
  });

const openBitmaps = (page: Page) =>
  page.evaluate(() => (window as unknown as { openBitmaps: Set<ImageBitmap> }).openBitmaps.size);

test('images load at the size at which they are seen, and larger when the visitor comes closer', async () => {
  const config = { camera: { fov: 75, position: { x: 0, y: 0, z: 500 } } };
  const size = { width: 1400, height: 800, depth: 1400 };
  const path = await suite.app.publish({ title: 'Hang', ...size, config }, [
    image('Near', { position_x: -100, position_z: 200 }),
    image('Far', { position_x: 200, position_z: -600 }),
  ]);
  const { page, faults } = await newVisitor(suite.browser, LOOKED_AT);
  await countBitmaps(page);
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.endsWith('.jpg')) asked.push(search);
  });
  await enterRoom(page, suite.app.origin + path);
  expect(asked).toEqual(['?width=490']);
  await expect.poll(() => openBitmaps(page)).toBe(0);

  // Forty units from an image that is 160 wide, then so close that it fills the screen.
  const stepTo = (z: number) =>
    page.evaluate((to) => {
      window.enfilade!.stage!.rig.moveTo({ x: -100, y: 0, z: to }, { x: -100, y: 0, z: 0 }, 1, false);
      window.enfilade!.stage!.invalidate();
    }, z);
  await stepTo(240);
  await expect.poll(() => asked).toEqual(['?width=490', '?width=980']);
  await stepTo(212);
  await expect.poll(() => asked).toEqual(['?width=490', '?width=980', '']);
  await expect.poll(() => openBitmaps(page)).toBe(0);
  const { textures } = await page.evaluate(() => window.enfilade!.stage!.memory);

  // Far again, the large copy is freed.
  await stepTo(600);
  await expect.poll(() => page.evaluate(() => window.enfilade!.stage!.memory.textures)).toBeLessThan(textures);
  expect(faults).toEqual([]);
  await page.context().close();
});

test('images are drawn again after the graphics context was lost', async () => {
  const path = await suite.app.publish({ title: 'Hang', config: { ambient_light: 1 } }, [
    image('Red', { width: 400, position_z: -200 }),
  ]);
  const { page } = await newVisitor(suite.browser, LOOKED_AT);
  await enterRoom(page, suite.app.origin + path);
  await page.addStyleTag({ content: '#overlay { display: none }' });
  const isRed = async () => {
    const [red, green] = pixelAt(await pixelsOf(page), 320, 200);
    return red > 150 && green < 80;
  };
  await expect.poll(isRed).toBe(true);
  await loseContext(page);
  await expect.poll(isRed).toBe(true);
  await page.context().close();
});
