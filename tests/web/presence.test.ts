import type { Page } from 'playwright';
import { describe, test } from 'vitest';
import { enterRoom, newVisitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';

const web = webSuite();

/** Markers of others, as the scene has them. */
const markersIn = (page: Page) => page.evaluate(() => window.enfilade!.stage!.scene.state().markers ?? []);
const countIn = async (page: Page) => (await markersIn(page)).length;

/**
 * Whether the same markers of others stay in both scenes for so long, in a time in which both pages run: who does not get to
 * run for seconds on a busy machine says nothing either, and begins anew.
 */
async function stay(pages: readonly Page[], during: number): Promise<boolean> {
  const watch = (page: Page) =>
    page.evaluate(async (milliseconds) => {
      const refs = () =>
        window
          .enfilade!.stage!.scene.state()
          .markers?.map(({ ref }) => ref)
          .join();
      const before = refs();
      let last = performance.now();
      const end = last + milliseconds;
      let isSame = true;
      let longest = 0;
      while (last < end) {
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        longest = Math.max(longest, now - last);
        last = now;
        isSame &&= refs() === before;
      }
      return { isSame: isSame && before !== undefined, ran: longest < 1500 };
    }, during);
  for (;;) {
    const seen = await Promise.all(pages.map(watch));
    if (seen.every(({ ran }) => ran)) return seen.every(({ isSame }) => isSame);
  }
}

/** Puts the visitor somewhere at once. */
const goTo = (page: Page, x: number) =>
  page.evaluate((at) => {
    const { stage } = window.enfilade!;
    stage!.rig.moveTo({ x: at, y: 0, z: 0 }, undefined, undefined, false);
    stage!.invalidate();
  }, x);

const publish = (config: Record<string, unknown>) => web.app.publish({ title: 'Hall', config });
/** Whether a line is the one to other visitors: what is edited is told on another. */
const isPresence = (socket: { url(): string }) => new URL(socket.url()).pathname === '/realtime';
const seePaths = (page: Page) => {
  const opened: string[] = [];
  page.on('websocket', (socket) => {
    if (isPresence(socket)) opened.push(new URL(socket.url()).pathname);
  });
  return opened;
};

// They mostly wait: beside each other, each in a room of its own.
describe.concurrent('visitors of a room with realtime', () => {
  test('see each other, move smoothly, stay while they stand still, and are gone when they leave', async ({
    expect,
  }) => {
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

    // Each tick in which the marker is at another place: whether it was drawn there.
    await two.page.evaluate(() => {
      const { stage } = window.enfilade!;
      let { frames } = stage!;
      let x = stage!.scene.state().markers?.[0]?.x;
      const look = () => {
        const marker = stage!.scene.state().markers?.[0];
        if (marker && marker.x !== x)
          window.dataLayer!.push({ event: 'glide', x: marker.x, drawn: stage!.frames > frames });
        x = marker?.x;
        frames = stage!.frames;
        requestAnimationFrame(look);
      };
      look();
    });
    const path = () =>
      two.page.evaluate(() =>
        window.dataLayer!.flatMap(({ event, x, drawn }) => (event === 'glide' ? [{ x: Number(x), drawn }] : [])),
      );
    const between = async () => new Set((await path()).map(({ x }) => x).filter((x) => x > 101 && x < 498)).size;
    // There and back again until it was seen on its way: a busy machine may draw once a second only.
    for (let to = 500; (await between()) < 2; to = 600 - to) {
      await goTo(one.page, to);
      const atEnd = async () => Math.abs(((await markersIn(two.page))[0]?.x ?? 0) - to) < 2;
      await expect.poll(atEnd, { timeout: 30_000 }).toBe(true);
    }
    console.log(`Drawn at ${await between()} places on its way.`);
    const drawn = await path();
    expect(drawn.every((each) => each.drawn && each.x > 99 && each.x < 501)).toBe(true);

    // For longer than who says nothing would be kept.
    expect(await stay([one.page, two.page], 6500)).toBe(true);

    await one.close();
    const left = performance.now();
    await expect.poll(() => countIn(two.page), { interval: 50, timeout: 30_000 }).toBe(0);
    console.log(`Gone ${Math.round(performance.now() - left)} ms after leaving.`);
    expect(two.faults).toEqual([]);
    await two.close();
  });

  test('see who the others are and where they look: names, the direction, and nothing for screen readers to read', async ({
    expect,
  }) => {
    const url = web.app.origin + (await publish({ realtime: true, camera: { rotate: true } }));
    const one = await newVisitor(web.browser);
    const two = await newVisitor(web.browser, { reducedMotion: 'reduce' });
    const numbered = one.page.waitForEvent('websocket', isPresence).then((line) => line.waitForEvent('framereceived'));
    await enterRoom(one.page, url);
    // Numbers are given in the order in which visitors first say where they are, which is not that of entering.
    await numbered;
    const looked = () =>
      one.page.evaluate(() => {
        const { stage } = window.enfilade!;
        const { x, y, z, w } = stage!.pose.quaternion;
        const heading = Math.atan2(2 * (x * z + w * y), 1 - 2 * (x * x + y * y));
        return Math.round((((heading * 180) / Math.PI + 360) % 360) / 3);
      });
    await enterRoom(two.page, url);
    const labels = (page: Page) => async () => (await markersIn(page)).map(({ name }) => name);
    await expect.poll(labels(two.page), { timeout: 30_000 }).toEqual(['Guest 1']);
    await expect.poll(labels(one.page), { timeout: 30_000 }).toEqual(['Guest 2']);
    const seen = async () => {
      const [marker] = await markersIn(two.page);
      return marker?.heading === undefined ? undefined : Math.round((marker.heading * 180) / Math.PI / 3) % 120;
    };
    await expect.poll(async () => (await seen()) === (await looked()), { timeout: 30_000 }).toBe(true);
    const before = await looked();
    await one.page.evaluate(() => {
      const { stage } = window.enfilade!;
      stage!.rig.moveTo({ x: 0, y: 0, z: 0 }, { x: -300, y: 0, z: 0 }, undefined, false);
      stage!.invalidate();
    });
    await expect.poll(async () => Math.abs((await looked()) - before) > 10, { timeout: 30_000 }).toBe(true);
    await expect.poll(async () => (await seen()) === (await looked()), { timeout: 30_000 }).toBe(true);
    expect(await two.page.getByText('Guest').count()).toBe(0);
    // The drawing itself: a figure and a label, in one call each.
    await goTo(one.page, 300);
    const calls = () => two.page.evaluate(() => window.enfilade!.stage!.drawn.calls);
    await expect.poll(calls, { timeout: 30_000 }).toBeGreaterThan(1);
    const withOne = await calls();
    const three = await newVisitor(web.browser);
    await enterRoom(three.page, url);
    await expect.poll(labels(two.page), { timeout: 30_000 }).toEqual(['Guest 1', 'Guest 3']);
    await expect.poll(calls, { timeout: 30_000 }).toBe(withOne);

    // Gone and back, it is called the same.
    const setHidden = (value: boolean) =>
      one.page.evaluate((hidden) => {
        Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, value);
    await setHidden(true);
    await expect.poll(labels(two.page), { timeout: 30_000 }).toEqual(['Guest 3']);
    await setHidden(false);
    await expect.poll(labels(two.page), { timeout: 30_000 }).toEqual(['Guest 3', 'Guest 1']);
    for (const { close, faults } of [one, two, three]) {
      expect(faults).toEqual([]);
      await close();
    }
  });

  test('come back by themselves when the line breaks, and let go of it when they leave for another room', async ({
    expect,
  }) => {
    const path = await publish({ realtime: true });
    const next = await publish({});
    const { page, close } = await newVisitor(web.browser);
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
    await close();
    await watcher.close();
  });

  test('connect to nobody where the room has no realtime', async ({ expect }) => {
    const { page, close } = await newVisitor(web.browser);
    const opened = seePaths(page);
    await enterRoom(page, web.app.origin + (await publish({})));
    // Longer than a room with others waits before it connects.
    await page.waitForFunction(
      (since) => window.enfilade!.stage!.scene.state().time > since + 2.5,
      await page.evaluate(() => window.enfilade!.stage!.scene.state().time),
    );
    expect(opened).toEqual([]);
    await close();
  });
});
