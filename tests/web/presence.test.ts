import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { enterRoom, newVisitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';

const web = webSuite();

/** Markers of others, as the scene has them. */
const markersIn = (page: Page) => page.evaluate(() => window.enfilade!.stage!.scene.state().markers ?? []);
const countIn = async (page: Page) => (await markersIn(page)).length;

/** Puts the visitor somewhere at once. */
const goTo = (page: Page, x: number) =>
  page.evaluate((at) => {
    const { stage } = window.enfilade!;
    stage!.rig.moveTo({ x: at, y: 0, z: 0 }, undefined, undefined, false);
    stage!.invalidate();
  }, x);

const publish = (config: Record<string, unknown>) => web.app.publish({ title: 'Hall', config });
const seePaths = (page: Page) => {
  const opened: string[] = [];
  page.on('websocket', (socket) => opened.push(new URL(socket.url()).pathname));
  return opened;
};

describe('visitors of a room with realtime', () => {
  test('see each other within 2 s, move smoothly, stay while they stand still, and are gone within 6 s', async () => {
    const url = web.app.origin + (await publish({ realtime: true }));
    const one = await newVisitor(web.browser);
    const two = await newVisitor(web.browser);
    await enterRoom(one.page, url);
    await goTo(one.page, 100);
    await enterRoom(two.page, url);
    const entered = performance.now();
    await expect.poll(() => countIn(two.page), { interval: 50, timeout: 10_000 }).toBe(1);
    await expect.poll(() => countIn(one.page), { interval: 50, timeout: 10_000 }).toBe(1);
    const seen = performance.now() - entered;
    console.log(`Seen ${Math.round(seen)} ms after entering.`);
    expect(seen).toBeLessThan(2000);
    expect((await markersIn(two.page))[0]).toMatchObject({ subject: 'position', x: expect.closeTo(100, -1) });

    // Every place at which the marker is drawn while it glides.
    await two.page.evaluate(() => {
      const { stage } = window.enfilade!;
      let frames = stage!.frames;
      const look = () => {
        const [marker] = stage!.scene.state().markers ?? [];
        if (stage!.frames !== frames && marker) window.dataLayer!.push({ event: 'glide', x: marker.x });
        frames = stage!.frames;
        requestAnimationFrame(look);
      };
      look();
    });
    await goTo(one.page, 500);
    const path = () =>
      two.page.evaluate(() => window.dataLayer!.filter(({ event }) => event === 'glide').map(({ x }) => Number(x)));
    await expect.poll(async () => (await path()).at(-1), { timeout: 10_000 }).toBeGreaterThan(497);
    const between = new Set((await path()).filter((x) => x > 101 && x < 498));
    console.log(`Drawn at ${between.size} places on its way.`);
    expect(between.size).toBeGreaterThan(5);

    // Longer than who says nothing would be kept.
    await two.page.waitForTimeout(6500);
    expect([await countIn(one.page), await countIn(two.page)]).toEqual([1, 1]);

    await one.context.close();
    const left = performance.now();
    await expect.poll(() => countIn(two.page), { interval: 50, timeout: 10_000 }).toBe(0);
    console.log(`Gone ${Math.round(performance.now() - left)} ms after leaving.`);
    expect(performance.now() - left).toBeLessThan(6000);
    expect(two.faults).toEqual([]);
    await two.context.close();
  });

  test('come back by themselves when the line breaks, and let go of it when they leave for another room', async () => {
    const path = await publish({ realtime: true });
    const next = await publish({});
    const { page, context } = await newVisitor(web.browser);
    const watcher = await newVisitor(web.browser);
    const opened = seePaths(page);
    await enterRoom(page, web.app.origin + path);
    await enterRoom(watcher.page, web.app.origin + path);
    await expect.poll(() => countIn(watcher.page), { timeout: 10_000 }).toBe(1);
    const before = opened.length;
    await page.evaluate(() => {
      // The scene goes on telling where the visitor is; the line itself is cut from inside.
      Object.defineProperty(document, 'hidden', { value: true, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await expect.poll(() => countIn(watcher.page), { timeout: 10_000 }).toBe(0);
    expect(opened.length).toBe(before);
    await page.evaluate(() => Object.defineProperty(document, 'hidden', { value: false, configurable: true }));
    await expect.poll(() => countIn(watcher.page), { timeout: 10_000 }).toBe(1);
    expect(opened.length).toBe(before + 1);
    const [slug] = next.split('/').filter(Boolean);
    await page.evaluate((to) => {
      window.enfilade!.follow({ type: 'slug', type_config: { slug_one: to, slug_two: '' } });
    }, slug!);
    await expect.poll(() => countIn(watcher.page), { timeout: 10_000 }).toBe(0);
    await context.close();
    await watcher.context.close();
  });

  test('connect to nobody where the room has no realtime', async () => {
    const { page, context } = await newVisitor(web.browser);
    const opened = seePaths(page);
    await enterRoom(page, web.app.origin + (await publish({})));
    await page.waitForTimeout(2500);
    expect(opened).toEqual([]);
    await context.close();
  });
});
