import type { Page } from 'playwright';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { countBytes } from '../bench/memory/count-bytes.ts';
import { accessibilityFaults } from '../harness/admin-page.ts';
import { enterRoom, LOOKED_AT, newVisitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';
import { loseContext, nextFrames, plainRoom, publishTree } from './elements/play.ts';

const suite = webSuite();

/** Places of the tour: with whole panoramas, more than a phone with 2 GB can hold. */
const PLACES = 8;
/** Width in pixels of each panorama: it has tiles. */
const WIDTH = 6144;

let tour: { path: string; ids: number[] };
beforeAll(async () => {
  const { client } = suite.app;
  const { id } = await client.rooms.create({ body: { title: 'Tour', width: 20_000, height: 800, depth: 4000 } });
  const ids: number[] = [];
  for (let index = 0; index < PLACES; index++) {
    const background = { r: 30 * index, g: 255 - 30 * index, b: 128 };
    const bytes = await sharp({ create: { width: WIDTH, height: WIDTH / 2, channels: 3, background } })
      .jpeg({ quality: 40 })
      .toBuffer();
    const file = new File([new Uint8Array(bytes)], `place-${index}.jpg`);
    const { id: file_id } = await client.media.upload({ body: {}, files: { file } });
    const body = {
      element: 'view_point' as const,
      file_id,
      position_x: index * 400,
      config: { name: `Place ${index}`, order_rank: index, pulse_radius: 0 },
    };
    ids.push((await client.rooms.addElement({ params: { id }, body })).id);
  }
  const config = { camera: { fov: 60, rotate: true }, start_view_point_id: ids[0]! };
  await client.rooms.update({ params: { id }, body: { config } });
  const { path } = await client.endpoints.create({ body: { name: 'Tour', slug: 'weak-tour', room_id: id } });
  tour = { path, ids };
});

const goTo = async (page: Page, id: number) => {
  await page.evaluate((to) => window.enfilade!.stage!.send({ type: 'go_to', element_id: to }), id);
  await expect.poll(() => page.evaluate(() => window.enfilade!.state.viewPoint), { timeout: 60_000 }).toBe(id);
};

/** Largest number of bytes on the GPU on a walk through the tour and back. */
async function walk(page: Page): Promise<number> {
  let most = 0;
  for (const id of [...tour.ids, ...tour.ids.toReversed()]) {
    await goTo(page, id);
    // Until nothing more is uploaded.
    for (let before = -1, now = 0; now !== before; ) {
      await nextFrames(page, 20);
      [before, now] = [now, await page.evaluate(() => window.gpuBytes())];
      most = Math.max(most, now);
    }
  }
  return most;
}

describe('a tour of large panoramas', () => {
  test.each([
    [2, true, 80e6],
    [8, false, 300e6],
  ])(
    'on a device with %d GB stays within its budget',
    async (gigabytes, hasTouch, limit) => {
      const { page, context, faults } = await newVisitor(suite.browser, {
        viewport: { width: 400, height: 300 },
        deviceScaleFactor: 1,
        hasTouch,
        isMobile: hasTouch,
        isNew: true,
      });
      await page.addInitScript(countBytes);
      await page.addInitScript(
        (memory) => Object.defineProperty(navigator, 'deviceMemory', { value: memory }),
        gigabytes,
      );
      await enterRoom(page, suite.app.origin + tour.path);
      const most = await walk(page);
      console.log(`Tour on a device with ${gigabytes} GB: at most ${Math.round(most / 1e6)} MB on the GPU`);
      expect(most).toBeLessThan(limit);
      expect(faults).toEqual([]);
      await context.close();
    },
    300_000,
  );
});

test('who saves data gets smaller panoramas without tiles, and media that loads when it plays', async () => {
  const { id: file_id } = await suite.app.upload('fixtures/media/morning-film.webm');
  const film = await publishTree(suite.app, plainRoom, [
    { element: 'native_video', name: 'Morning', file_id, width: 200, position_z: -100, config: {} },
  ]);
  const { page, context, faults } = await newVisitor(suite.browser, {
    viewport: { width: 900, height: 900 },
    deviceScaleFactor: 2,
    extraHTTPHeaders: { 'save-data': 'on' },
    isNew: true,
  });
  await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await enterRoom(page, suite.app.origin + tour.path);
  await goTo(page, tour.ids[1]!);
  await nextFrames(page, 5);
  const pictures = requests.filter((url) => url.includes('/media/') && url.includes('.jpg'));
  expect(pictures.some((url) => url.includes('?width=1960'))).toBe(true);
  expect(pictures.filter((url) => !/\?width=(?:490|1960)$/.test(url))).toEqual([]);
  await enterRoom(page, suite.app.origin + film);
  const video = page.locator('video');
  await video.waitFor({ state: 'attached' });
  expect(await video.evaluate((each: HTMLVideoElement) => each.preload)).toBe('none');
  const button = page.locator('#room button.stage-press', { hasText: 'Morning' });
  await button.press('Enter');
  await expect.poll(() => video.evaluate((each: HTMLVideoElement) => each.currentTime)).toBeGreaterThan(0);
  expect(faults).toEqual([]);
  await context.close();
});

test('after a lost picture, media goes on and the camera stays; after many, less is drawn and the text offered', async () => {
  const { id: file_id } = await suite.app.upload('fixtures/media/morning-film.webm');
  const path = await publishTree(suite.app, { ...plainRoom, config: { ...plainRoom.config, pixelratio: null } }, [
    { element: 'native_video', name: 'Morning', file_id, width: 200, position_z: -100, config: { loop: true } },
  ]);
  const { page, context, faults } = await newVisitor(suite.browser, {
    ...LOOKED_AT,
    deviceScaleFactor: 2,
    isNew: true,
  });
  await enterRoom(page, suite.app.origin + path);
  await page.evaluate(() => Object.assign(window, { isSame: true }));
  await page.locator('#room button.stage-press', { hasText: 'Morning' }).press('Enter');
  const video = page.locator('video');
  const played = () => video.evaluate((each: HTMLVideoElement) => each.played.length > 0 && !each.paused);
  await expect.poll(played).toBe(true);
  const pose = () =>
    page.evaluate(() => {
      const { position, quaternion } = window.enfilade!.stage!.camera;
      return [...position.toArray(), ...quaternion.toArray()].map((each) => Number(each).toFixed(3));
    });
  const ratio = () => page.evaluate(() => document.querySelector('canvas')!.width / innerWidth);
  await page.evaluate(() =>
    window.enfilade!.stage!.rig.moveTo({ x: 60, y: 10, z: 300 }, { x: 0, y: 0, z: -100 }, undefined, false),
  );
  await nextFrames(page, 10);
  const before = await pose();
  const offer = page.getByRole('status').getByRole('link', { name: 'Read this room as text' });
  await loseContext(page);
  await page.getByText('Graphics were interrupted').waitFor({ state: 'detached' });
  await nextFrames(page, 5);
  expect(await pose()).toEqual(before);
  expect(await played()).toBe(true);
  expect(await offer.count()).toBe(0);
  for (let time = 0; time < 2; time++) {
    await loseContext(page);
    await nextFrames(page, 5);
  }
  await offer.waitFor();
  // Twice lowered: from a computer's class to the smallest.
  await expect.poll(ratio).toBeLessThanOrEqual(1.5);
  expect(await pose()).toEqual(before);
  expect(await played()).toBe(true);
  expect(await page.evaluate(() => 'isSame' in window)).toBe(true);
  expect(await accessibilityFaults(page)).toEqual([]);
  await offer.click();
  await page.waitForURL(/\?text$/);
  expect(faults).toEqual([]);
  await context.close();
});

test('a picture that has not come back after 10 seconds leads to the text', async () => {
  const path = await publishTree(suite.app, plainRoom, []);
  const { page, context, faults } = await newVisitor(suite.browser, { ...LOOKED_AT, isNew: true });
  await page.clock.install();
  await enterRoom(page, suite.app.origin + path);
  await page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('canvas')!;
    canvas.getContext('webgl2')!.getExtension('WEBGL_lose_context')!.loseContext();
  });
  await page.getByText('Graphics were interrupted').waitFor();
  const offer = page.getByRole('status').getByRole('link', { name: 'Read this room as text' });
  await page.clock.fastForward(5000);
  expect(await offer.count()).toBe(0);
  await page.clock.fastForward(5000);
  await offer.click();
  await page.waitForURL(/\?text$/);
  expect(faults).toEqual([]);
  await context.close();
});
