import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { enterRoom, newVisitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';
import { nextFrames } from './elements/play.ts';

const suite = webSuite();
let folder: string;
let file_id: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'enfilade-closer-'));
  const file = join(folder, 'wide.jpg');
  await sharp({ create: { width: 6000, height: 3000, channels: 3, background: '#B7822F' } })
    .jpeg()
    .toFile(file);
  file_id = (await suite.app.upload(file)).id;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const words = { title: 'The Wide Field', author: 'A. Painter', date: '1888', text: 'Wheat under a heavy sky.' };
const image = (config: object = {}) => ({
  element: 'image' as const,
  name: 'Field',
  file_id,
  width: 300,
  height: 150,
  position_z: -500,
  config: { ...words, ...config },
});
const room = { width: 2000, height: 1000, depth: 2000, config: { camera: { rotate: true, rotate_left_button: true } } };
const look = (page: Page) => page.getByRole('dialog', { name: words.title });
const poseOf = (page: Page) =>
  page.evaluate(() => {
    const { x, y, z } = window.enfilade!.stage!.pose.position;
    return [x, y, z].map(Math.round);
  });
/** Waits until the camera stands still, and the image with it. */
async function still(page: Page): Promise<void> {
  let before = '';
  await expect
    .poll(
      async () => {
        const pose = await page.evaluate(() => window.enfilade!.stage!.pose.position);
        const box = await look(page).locator('img').first().boundingBox();
        const [last, now] = [before, JSON.stringify([pose, box])];
        before = now;
        return last === now;
      },
      { interval: 300 },
    )
    .toBe(true);
}

const levelOf = async (page: Page) => Number.parseInt((await look(page).getByRole('status').textContent())!, 10);

/** Enters the room from a side, and presses the image there. */
async function pressImage(page: Page, origin: string): Promise<number[]> {
  await enterRoom(page, origin);
  await page.evaluate(() => {
    const { rig } = window.enfilade!.stage!;
    rig.moveTo({ x: 300, y: 50, z: 400 }, { x: 0, y: 0, z: -500 }, undefined, false);
    window.enfilade!.stage!.invalidate();
  });
  await expect.poll(() => poseOf(page)).toEqual([300, 50, 400]);
  const { width, height } = page.viewportSize()!;
  await page.mouse.click(width / 2, height / 2);
  await look(page).waitFor();
  return [300, 50, 400];
}

describe('an image without a link', () => {
  test('is shown up close by a press, magnified to its tiles, and left to where the visitor stood', async () => {
    const path = await suite.app.publish(room, [image()]);
    const { page, close, faults } = await newVisitor(suite.browser, { viewport: { width: 900, height: 600 } });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).search));
    const start = await pressImage(page, suite.app.origin + path);
    await expect.poll(async () => (await poseOf(page))[2]).toBeLessThan(0);
    for (const text of [words.title, words.text, 'A. Painter, 1888']) await look(page).getByText(text).waitFor();
    await look(page).getByRole('img', { name: words.title }).waitFor();
    // The camera is in front of the image, which the page covers with the same image at the same place.
    await still(page);
    const box = (await look(page).locator('img').first().boundingBox())!;
    const drawn = await page.evaluate(() => {
      const { stage } = window.enfilade!;
      const face = stage!.viewOf(stage!.scene.room.elements[0]!.id)!.face!;
      return [-150, 150].map((x) => {
        const point = face.position.clone().set(x, 0, 0).applyMatrix4(face.matrixWorld).project(stage!.camera);
        return ((point.x + 1) / 2) * innerWidth;
      });
    });
    expect(Math.abs(drawn[0]! - box.x)).toBeLessThan(4);
    expect(Math.abs(drawn[1]! - box.x - box.width)).toBeLessThan(4);

    expect(asked.filter((search) => search.startsWith('?tile='))).toEqual([]);
    await page.mouse.move(box.x + box.width / 4, box.y + box.height / 4);
    for (let i = 0; i < 20; i++) await page.mouse.wheel(0, -300);
    await expect.poll(() => asked.filter((search) => /^\?tile=\d+-\d+$/.test(search)).length).toBeGreaterThan(0);
    expect(asked.filter((search) => /^\?tile=\d+-\d+$/.test(search)).length).toBeLessThan(18);
    const magnified = (await look(page).locator('img').first().boundingBox())!;
    expect((box.x + box.width / 4 - magnified.x) / magnified.width).toBeCloseTo(0.25, 1);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 4 + 60, box.y + box.height / 4, { steps: 4 });
    await page.mouse.up();
    expect((await look(page).locator('img').first().boundingBox())!.x).toBeCloseTo(magnified.x + 60, 0);

    await page.keyboard.press('Escape');
    await look(page).waitFor({ state: 'detached' });
    await expect.poll(() => poseOf(page)).toEqual(start);
    await page.mouse.click(450, 300);
    await look(page).waitFor();
    await page.goBack();
    await look(page).waitFor({ state: 'detached' });
    await expect.poll(() => poseOf(page)).toEqual(start);
    expect(new URL(page.url()).pathname).toBe(path);
    expect(faults).toEqual([]);
    await close();
  });

  test('opens and zooms with the keyboard, and returns the focus', async () => {
    const path = await suite.app.publish(room, [image()]);
    const { page, close } = await newVisitor(suite.browser);
    await enterRoom(page, suite.app.origin + path);
    const button = page.getByRole('button', { name: words.title });
    await button.press('Enter');
    await look(page).waitFor();
    expect(await levelOf(page)).toBe(100);
    await still(page);
    await page.keyboard.press('+');
    expect(await levelOf(page)).toBe(150);
    const before = (await look(page).locator('img').first().boundingBox())!;
    await page.keyboard.press('ArrowRight');
    await expect.poll(async () => (await look(page).locator('img').first().boundingBox())!.x).toBeLessThan(before.x);
    const pose = await poseOf(page);
    await page.keyboard.press('-');
    expect(await levelOf(page)).toBe(100);
    await look(page).getByRole('button', { name: 'Zoom in' }).press('Enter');
    expect(await levelOf(page)).toBe(150);
    await look(page).getByRole('button', { name: 'Fit to screen' }).press('Enter');
    expect(await levelOf(page)).toBe(100);
    expect(pose).toEqual(await poseOf(page));
    await look(page).getByRole('button', { name: 'Close' }).press('Enter');
    await look(page).waitFor({ state: 'detached' });
    await expect.poll(() => button.evaluate((node) => node === document.activeElement)).toBe(true);
    await close();
  });

  test('is cut to at once with reduced motion; a second press magnifies and restores', async () => {
    const path = await suite.app.publish(room, [image()]);
    const { page, context } = await newVisitor(suite.browser, { reducedMotion: 'reduce' });
    await pressImage(page, suite.app.origin + path);
    await expect.poll(async () => (await poseOf(page))[2]).toBeLessThan(0);
    const box = (await look(page).locator('img').first().boundingBox())!;
    await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2);
    await expect.poll(() => levelOf(page)).toBe(300);
    await still(page);
    await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2);
    await expect.poll(() => levelOf(page)).toBe(100);
    await still(page);
    await page.mouse.click(4, 4);
    await look(page).waitFor({ state: 'detached' });
    await context.close();
  });

  test('stands above its texts on a phone, and zooms by pinch', async () => {
    const path = await suite.app.publish(room, [image()]);
    const { page, close } = await newVisitor(suite.browser, {
      viewport: { width: 360, height: 640 },
      hasTouch: true,
      isMobile: true,
    });
    await enterRoom(page, suite.app.origin + path);
    await page.touchscreen.tap(180, 320);
    await look(page).waitFor();
    const text = (await look(page).getByText(words.text).boundingBox())!;
    const picture = (await look(page).locator('img').first().boundingBox())!;
    expect(text.y).toBeGreaterThan(picture.y + picture.height);
    const client = await page.context().newCDPSession(page);
    const fingers = (apart: number) => [
      { x: 180 - apart, y: 180, id: 1 },
      { x: 180 + apart, y: 180, id: 2 },
    ];
    await still(page);
    await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingers(30) });
    for (const apart of [45, 60, 75, 90])
      await client.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: fingers(apart) });
    await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await expect.poll(() => levelOf(page)).toBeGreaterThan(200);
    await close();
  });
});

test.each([
  ['that follows a link', { navigation: { type: 'event', type_config: { name: 'pressed' } } }],
  ['that visitors cannot look closer at', { zoomable: false }],
  ['that is decorative', { decorative: true }],
])('an image %s is not shown up close', async (_, config) => {
  const path = await suite.app.publish(room, [image(config)]);
  const { page, close } = await newVisitor(suite.browser);
  await enterRoom(page, suite.app.origin + path);
  await page.mouse.click(320, 200);
  await nextFrames(page, 10);
  expect(await page.getByRole('dialog').count()).toBe(0);
  await close();
});
