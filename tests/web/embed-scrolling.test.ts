import type { Frame, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newVisitor } from '../harness/browser.ts';
import { type Site, startSite } from '../harness/site.ts';
import { webSuite } from '../harness/web-suite.ts';
import { nextFrames } from './elements/play.ts';

const web = webSuite();
let host: Site;
let body = '';

beforeAll(async () => {
  host = await startSite(
    () =>
      `<!doctype html><title>Host</title><meta name="viewport" content="width=device-width"><body style="margin:0">${body}`,
  );
  await web.app.client.organizations.update({ body: { embed_domains: [{ domain: host.origin }] } });
  const config = { camera: { zoom: true, rotate: true } };
  const path = await web.app.publish({ title: 'Gallery', width: 800, height: 600, depth: 800, config });
  body = `<script type="module" src="${web.app.origin}/embed.js"></script>
    <enfilade-room src="${web.app.origin}/embed${path}" autoload style="height: 400px"></enfilade-room>
    <div style="height: 3000px"></div>`;
});
afterAll(() => host?.close());

async function openHost(options: Parameters<typeof newVisitor>[1]) {
  const visitor = await newVisitor(web.browser, options);
  await visitor.page.goto(host.origin);
  await visitor.page.locator('enfilade-room iframe').waitFor();
  const frame = visitor.page.frames().find((each) => each.url().includes('/embed/'))!;
  await frame.locator('#room[data-state="ready"]').waitFor();
  return { ...visitor, frame };
}

const scrolled = (page: Page) => page.evaluate(() => scrollY);
const poseOf = (frame: Frame) =>
  frame.evaluate(() => {
    const { position, quaternion } = window.enfilade!.stage!.pose;
    // Rounded: a finger turns by a hair before the browser takes it for scrolling.
    const { x, y, z } = position;
    return [x, y, z, quaternion.x * 5, quaternion.y * 5].map((value) => Math.round(value) + 0);
  });
const hintOf = (frame: Frame) => frame.locator('.stage-hint.is-shown');

describe('a room in a page that scrolls', () => {
  test('lets the wheel scroll the page, with a hint; takes it with Ctrl, and once it was pressed', async () => {
    const { page, frame } = await openHost({ viewport: { width: 1000, height: 700 } });
    const start = await poseOf(frame);
    await page.mouse.move(500, 200);
    await page.mouse.wheel(0, 120);
    await expect.poll(() => scrolled(page)).toBe(120);
    expect(await hintOf(frame).textContent()).toMatch(/^Use (?:Ctrl|⌘) \+ scroll to zoom/);
    expect(await poseOf(frame)).toEqual(start);

    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -120);
    await page.keyboard.up('Control');
    await expect.poll(() => poseOf(frame)).not.toEqual(start);
    expect(await scrolled(page)).toBe(120);

    const closer = await poseOf(frame);
    await page.mouse.move(300, 240);
    await page.mouse.down();
    await page.mouse.up();
    await page.mouse.wheel(0, -120);
    await expect.poll(() => poseOf(frame)).not.toEqual(closer);
    expect(await scrolled(page)).toBe(120);

    // The press counts until the pointer leaves the room.
    await page.mouse.move(500, 500);
    await page.mouse.move(300, 240);
    await page.mouse.wheel(0, 80);
    await expect.poll(() => scrolled(page)).toBe(200);
    await page.context().close();
  });

  test('lets one finger scroll the page, with a hint; two fingers look around', async () => {
    const { page, frame } = await openHost({
      viewport: { width: 360, height: 640 },
      hasTouch: true,
      isMobile: true,
    });
    expect(await page.locator('enfilade-room').evaluate((room) => room.getBoundingClientRect().width)).toBe(360);
    const start = await poseOf(frame);
    const session = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints });
    await touch('touchStart', { x: 180, y: 300 });
    for (let y = 290; y >= 120; y -= 10) await touch('touchMove', { x: 180, y });
    await touch('touchEnd');
    await expect.poll(() => scrolled(page)).toBeGreaterThan(100);
    expect(await hintOf(frame).textContent()).toBe('Use two fingers to look around');
    expect(await poseOf(frame)).toEqual(start);

    // The page glides on for a moment.
    const rests = async () => {
      const before = await scrolled(page);
      await nextFrames(page, 5);
      return (await scrolled(page)) === before;
    };
    await expect.poll(rests).toBe(true);
    await page.evaluate(() => scrollTo(0, 0));
    await touch('touchStart', { x: 120, y: 300 }, { x: 220, y: 300 });
    for (let step = 1; step <= 15; step++)
      await touch('touchMove', { x: 120, y: 300 - step * 8 }, { x: 220, y: 300 - step * 8 });
    await touch('touchEnd');
    await expect.poll(() => poseOf(frame)).not.toEqual(start);
    expect(await scrolled(page)).toBe(0);
    await page.context().close();
  });
});
