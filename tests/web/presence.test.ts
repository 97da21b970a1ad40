import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { enterRoom, newVisitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';

const web = webSuite();

/** Markers of others, as the scene has them. */
const markersIn = (page: Page) => page.evaluate(() => window.enfilade!.stage!.scene.state().markers ?? []);
const countIn = async (page: Page) => (await markersIn(page)).length;

/** Fewest markers of others that a scene has in the next milliseconds. */
const fewestIn = (page: Page, during: number) =>
  page.evaluate(async (milliseconds) => {
    const end = performance.now() + milliseconds;
    let fewest = Number.POSITIVE_INFINITY;
    while (performance.now() < end) {
      fewest = Math.min(fewest, window.enfilade!.stage!.scene.state().markers?.length ?? 0);
      await new Promise(requestAnimationFrame);
    }
    return fewest;
  }, during);

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
  test('see each other, move smoothly, stay while they stand still, and are gone when they leave', async () => {
    const url = web.app.origin + (await publish({ realtime: true }));
    const one = await newVisitor(web.browser);
    const two = await newVisitor(web.browser);
    await enterRoom(one.page, url);
    await goTo(one.page, 100);
    await enterRoom(two.page, url);
    const entered = performance.now();
    await expect.poll(() => countIn(two.page), { interval: 50, timeout: 30_000 }).toBe(1);
    await expect.poll(() => countIn(one.page), { interval: 50, timeout: 30_000 }).toBe(1);
    const seen = performance.now() - entered;
    for (const { page } of [one, two]) await page.getByRole('img', { name: 'People here: 2' }).waitFor();
    console.log(`Seen ${Math.round(seen)} ms after entering.`);
    const places = async () => (await markersIn(two.page)).map(({ subject, x }) => [subject, Math.round(x / 10)]);
    await expect.poll(places, { timeout: 30_000 }).toEqual([['position', 10]]);

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
    await expect.poll(async () => (await path()).at(-1), { timeout: 30_000 }).toBeGreaterThan(497);
    const between = new Set((await path()).filter((x) => x > 101 && x < 498));
    console.log(`Drawn at ${between.size} places on its way.`);
    expect(between.size).toBeGreaterThan(1);

    // For longer than who says nothing would be kept.
    expect(await Promise.all([fewestIn(one.page, 6500), fewestIn(two.page, 6500)])).toEqual([1, 1]);

    await one.context.close();
    const left = performance.now();
    await expect.poll(() => countIn(two.page), { interval: 50, timeout: 30_000 }).toBe(0);
    console.log(`Gone ${Math.round(performance.now() - left)} ms after leaving.`);
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
    await expect.poll(() => countIn(watcher.page), { timeout: 30_000 }).toBe(1);
    const before = opened.length;
    await page.evaluate(() => {
      // The scene goes on telling where the visitor is; the line itself is cut from inside.
      Object.defineProperty(document, 'hidden', { value: true, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await expect.poll(() => countIn(watcher.page), { timeout: 30_000 }).toBe(0);
    expect(opened.length).toBe(before);
    await page.evaluate(() => Object.defineProperty(document, 'hidden', { value: false, configurable: true }));
    await expect.poll(() => countIn(watcher.page), { timeout: 30_000 }).toBe(1);
    expect(opened.length).toBe(before + 1);
    const [slug] = next.split('/').filter(Boolean);
    await page.evaluate((to) => {
      window.enfilade!.follow({ type: 'slug', type_config: { slug_one: to, slug_two: '' } });
    }, slug!);
    await expect.poll(() => countIn(watcher.page), { timeout: 30_000 }).toBe(0);
    await context.close();
    await watcher.context.close();
  });

  test('connect to nobody where the room has no realtime', async () => {
    const { page, context } = await newVisitor(web.browser);
    const opened = seePaths(page);
    await enterRoom(page, web.app.origin + (await publish({})));
    // Longer than a room with others waits before it connects.
    await page.waitForFunction(
      (since) => window.enfilade!.stage!.scene.state().time > since + 2.5,
      await page.evaluate(() => window.enfilade!.stage!.scene.state().time),
    );
    expect(opened).toEqual([]);
    await context.close();
  });
});
