import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { countBytes } from '../bench/memory/count-bytes.ts';
import { enterRoom, newVisitor } from '../harness/browser.ts';
import { buildRoom, plainRoom } from '../harness/canvas-page.ts';
import { webSuite } from '../harness/web-suite.ts';

const suite = webSuite();
const COUNT = 60;
const MAX_BYTES = 150e6;

declare global {
  interface Window {
    /** Largest sum so far of the bytes on the GPU and of open bitmaps. */
    peakBytes: number;
  }
}

/** Measures bitmaps as well. Runs in the page after `countBytes`. */
function countPeak(): void {
  const open = new Map<ImageBitmap, number>();
  window.peakBytes = 0;
  const look = () => {
    let sum = window.gpuBytes();
    for (const bytes of open.values()) sum += bytes;
    window.peakBytes = Math.max(window.peakBytes, sum);
  };
  const create = window.createImageBitmap.bind(window) as (...args: unknown[]) => Promise<ImageBitmap>;
  window.createImageBitmap = (async (...args: unknown[]) => {
    const bitmap = await create(...args);
    open.set(bitmap, bitmap.width * bitmap.height * 4);
    look();
    return bitmap;
  }) as typeof createImageBitmap;
  const close = ImageBitmap.prototype.close;
  ImageBitmap.prototype.close = function () {
    look();
    open.delete(this);
    close.call(this);
  };
}

async function uploadPhotos(): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'enfilade-photos-'));
  const ids: number[] = [];
  for (let index = 0; index < COUNT; index++) {
    const path = join(folder, `${index}.jpg`);
    const background = { r: (index * 67) % 256, g: (index * 101) % 256, b: (index * 151) % 256 };
    await sharp({ create: { width: 4000, height: 3000, channels: 3, background } })
      .jpeg()
      .toFile(path);
    ids.push((await suite.app.upload(path)).id);
  }
  await rm(folder, { recursive: true });
  return ids;
}

const stepTo = (page: Page, x: number, z: number) =>
  page.evaluate(
    ([at, away]) => {
      window.enfilade!.stage!.rig.moveTo({ x: at!, y: 0, z: away! }, { x: at!, y: 0, z: -200 }, 1, false);
      window.enfilade!.stage!.invalidate();
    },
    [x, z],
  );

test('60 photos of 12 megapixels fit into the memory of a phone, also close up', async () => {
  const files = await uploadPhotos();
  const elements = files.map((file_id, index) => ({
    element: 'image' as const,
    name: `No. ${index}`,
    file_id,
    width: 120,
    position_x: (index % 12) * 125 - 690,
    position_y: Math.floor(index / 12) * 95 - 190,
    position_z: -200,
  }));
  const { id } = await buildRoom(suite.app, elements, { ...plainRoom(1), width: 2000 });
  const { slug } = await suite.app.client.endpoints.create({ body: { name: 'Photos', room_id: id } });
  const phone = { viewport: { width: 360, height: 640 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true };
  const { page, faults } = await newVisitor(suite.browser, { ...phone, isNew: true });
  await page.addInitScript(countBytes);
  await page.addInitScript(countPeak);
  await enterRoom(page, `${suite.app.origin}/${slug}`);
  /** Waits until larger sizes have loaded. */
  const settled = async () => {
    let last = 0;
    const isSteady = async () => {
      const bytes = await page.evaluate(() => window.gpuBytes());
      const isSame = bytes === last;
      last = bytes;
      return isSame;
    };
    await expect.poll(isSteady, { interval: 1000, timeout: 30_000 }).toBe(true);
  };
  for (const [x, z] of [
    [-300, -100],
    [0, -150],
    [0, -185],
    [300, -100],
  ] as const) {
    await stepTo(page, x, z);
    await settled();
  }
  const peak = await page.evaluate(() => window.peakBytes);
  console.log(`60 photos on a phone: ${(peak / 1e6).toFixed(0)} MB of textures and bitmaps at most.`);
  expect(peak).toBeGreaterThan(10e6);
  expect(peak).toBeLessThan(MAX_BYTES);
  expect(faults).toEqual([]);
  await page.context().close();
});
