import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { enterRoom, LOOKED_AT, newVisitor } from '../harness/browser.ts';
import { pixelAt, pixelsOf } from '../harness/picture.ts';
import { webSuite } from '../harness/web-suite.ts';
import { idOf, mediaBecomes, newGuest, plainRoom, visitTree, type Written } from './elements/play.ts';

const suite = webSuite();

/** Colors of a film from left to right; its center is straight ahead. */
const BANDS = ['#FF0000', '#00FF00', '#0000FF', '#FFFF00'];

type Rgb = [number, number, number];
const GREEN: Rgb = [0, 255, 0];
const BLUE: Rgb = [0, 0, 255];
const YELLOW: Rgb = [255, 255, 0];
const WHITE: Rgb = [255, 255, 255];

/** Records a film of bands over the given part of its frames; the rest is white. Gives its file's id. */
async function filmOf(size: { width: number; height: number }, bands: { width: number; height: number }) {
  const page = await suite.browser.newPage();
  const recorded = await page.evaluate(
    async ({ colors, all, part }) => {
      const canvas = Object.assign(document.createElement('canvas'), all);
      const pen = canvas.getContext('2d')!;
      const paint = () => {
        pen.fillStyle = '#FFFFFF';
        pen.fillRect(0, 0, all.width, all.height);
        colors.forEach((color, index) => {
          pen.fillStyle = color;
          pen.fillRect((index * part.width) / colors.length, 0, part.width / colors.length, part.height);
        });
      };
      paint();
      const recorder = new MediaRecorder(canvas.captureStream(10), { videoBitsPerSecond: 4e6 });
      const parts: Blob[] = [];
      recorder.ondataavailable = ({ data }) => parts.push(data);
      const ended = new Promise((resolve) => {
        recorder.onstop = resolve;
      });
      recorder.start();
      let frames = 0;
      const timer = setInterval(() => {
        paint();
        if (++frames < 30) return;
        clearInterval(timer);
        recorder.stop();
      }, 50);
      await ended;
      return [...new Uint8Array(await new Blob(parts).arrayBuffer())];
    },
    { colors: BANDS, all: size, part: bands },
  );
  await page.close();
  const path = join(tmpdir(), `${randomUUID()}.webm`);
  await writeFile(path, Buffer.from(recorded));
  const { id } = await suite.app.upload(path);
  await rm(path);
  return id;
}

/** Whether two colors are the same but for the film's compression. */
const isNear = (one: Rgb, other: Rgb) => one.every((value, index) => Math.abs(value - other[index]!) < 30);

const around = (file_id: number, config: object = {}, more: object = {}): Written =>
  ({
    element: 'native_video',
    name: 'Around',
    file_id,
    config: { projection: 'equirectangular', autoplay: true, muted: true, loop: true, ...config },
    ...more,
  }) as Written;

/** Enters a room; gives the colors left and right of the middle, once the film is there. */
async function look(elements: readonly Written[], wanted: [Rgb, Rgb]) {
  const guest = await newGuest(suite.app, suite.browser);
  await visitTree(suite.app, guest, elements, { ...plainRoom, width: 2000, depth: 2000 });
  const colors = async () => {
    const pixels = await pixelsOf(guest.page);
    return [0.4, 0.6].map((at) => pixelAt(pixels, Math.round(pixels.width * at), Math.round(pixels.height / 2)));
  };
  await expect
    .poll(async () => (await colors()).every((color, index) => isNear(color, wanted[index]!)), { interval: 200 })
    .toBe(true);
  return { guest, colors };
}

test('a 360° film is all around the visitor instead of the room, turns with its element, and ends with it', async () => {
  const mono = await filmOf({ width: 512, height: 256 }, { width: 512, height: 256 });
  const straight = await look([around(mono)], [GREEN, BLUE]);
  const { page } = straight.guest;
  const shell = () =>
    page.evaluate(
      () => window.enfilade!.stage!.three.children.filter(({ name, visible }) => name === 'room' && visible).length,
    );
  expect(await shell()).toBe(0);
  await mediaBecomes(page, await idOf(page, 'Around'), { paused: false, past: 0.2 });
  expect(straight.guest.faults).toEqual([]);
  await straight.guest.close();
  // A quarter turn to the left moves the right half of the video ahead.
  const turned = await look([around(mono, {}, { rotation_y: Math.PI / 2 })], [BLUE, YELLOW]);
  await turned.guest.close();
});

test('each eye has its own image: from above, or from the left', async () => {
  const topBottom = await filmOf({ width: 256, height: 256 }, { width: 256, height: 128 });
  const one = await look([around(topBottom)], [GREEN, BLUE]);
  await one.guest.close();
  const leftRight = await filmOf({ width: 1024, height: 256 }, { width: 512, height: 256 });
  const other = await look([around(leftRight)], [GREEN, BLUE]);
  await other.guest.close();
  // Taken as one image, the right half of that film is white.
  const mono = await look([around(leftRight, { stereo: 'mono' })], [YELLOW, WHITE]);
  await mono.guest.close();
});

test('one that waits for the visitor is started by a press beside everything else; hidden, it gives the room back', async () => {
  const file_id = await filmOf({ width: 512, height: 256 }, { width: 512, height: 256 });
  const { guest, colors } = await look([around(file_id, { autoplay: false })], [GREEN, BLUE]);
  const { page } = guest;
  const id = await idOf(page, 'Around');
  await page.mouse.click(100, 80);
  await mediaBecomes(page, id, { paused: false, past: 0.1 });
  await suite.app.client.elements.update({ params: { id }, body: { hidden: true } });
  await expect.poll(async () => (await colors()).some((color) => isNear(color as Rgb, GREEN))).toBe(false);
  expect(guest.faults).toEqual([]);
  await guest.close();
});

/** Uploads a 360° photo of one color. Gives its file's id. */
async function photoOf(color: string): Promise<number> {
  const path = join(tmpdir(), `${randomUUID()}.png`);
  await sharp({ create: { width: 512, height: 256, channels: 3, background: color } }).toFile(path);
  const { id } = await suite.app.upload(path);
  await rm(path);
  return id;
}

test('the 360° film of a template replaces its photo once it plays, but not those of places', async () => {
  const { app, browser } = suite;
  const film = await filmOf({ width: 256, height: 256 }, { width: 256, height: 128 });
  const { id: template_id } = await app.client.templates.create({
    body: { name: 'Lake', model_type: 'pano', file_id: await photoOf('#FFFFFF'), video_file_id: film },
  });
  const place = await photoOf('#FF00FF');
  const config = { camera: { fov: 50, position: { x: 0, y: 0, z: 0 } }, pixelratio: 1 };
  const path = await app.publish({ title: 'Lake', template_id, config }, [
    { element: 'view_point', name: 'Shore', file_id: place },
  ]);
  const { page, faults, close } = await newVisitor(browser, { ...LOOKED_AT, isNew: true });
  const photoSeen = Promise.withResolvers<void>();
  await page.route('**/*.webm', async (route) => {
    await photoSeen.promise;
    await route.continue();
  });
  await enterRoom(page, app.origin + path);
  const colors = async () => {
    const pixels = await pixelsOf(page);
    return [0.4, 0.6].map((at) => pixelAt(pixels, Math.round(pixels.width * at), Math.round(pixels.height / 2)));
  };
  const shows = async (...wanted: Rgb[]) =>
    expect
      .poll(async () => (await colors()).every((color, index) => isNear(color as Rgb, wanted[index]!)), {
        interval: 200,
      })
      .toBe(true);
  await shows(WHITE, WHITE);
  photoSeen.resolve();
  await shows(GREEN, BLUE);
  await mediaBecomes(page, -1, { paused: false, past: 0.2 });
  await page.getByRole('button', { name: 'Mute', exact: true }).waitFor();
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/panorama-video.png` });
  const go = (input: object) =>
    page.evaluate((each) => window.enfilade!.stage!.send(each as { type: 'camera.reset' }), input);
  await go({ type: 'go_to', element_id: await idOf(page, 'Shore') });
  await shows([255, 0, 255], [255, 0, 255]);
  await mediaBecomes(page, -1, { paused: true });
  await go({ type: 'camera.reset' });
  await shows(GREEN, BLUE);
  expect(faults).toEqual([]);
  await close();
});

test('rooms without a 360° film load nothing of it', async () => {
  const { app, browser } = suite;
  const { id: template_id } = await app.client.templates.create({
    body: { name: 'Still', model_type: 'pano', file_id: await photoOf('#FFFFFF') },
  });
  const path = await app.publish({ title: 'Still', template_id });
  const { page, close } = await newVisitor(browser, { isNew: true });
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  await enterRoom(page, app.origin + path);
  await page.waitForLoadState('networkidle');
  expect(loaded.some((url) => url.endsWith('.js'))).toBe(true);
  expect(loaded.filter((url) => /video/.test(url))).toEqual([]);
  await close();
});
