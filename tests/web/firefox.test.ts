import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { Firefox } from '../harness/firefox/firefox.ts';
import type { FirefoxPage } from '../harness/firefox/firefox-page.ts';
import { type Site, startSite } from '../harness/site.ts';
import { Broadcaster } from '../harness/stand-ins/broadcaster.ts';
import { startWebApp, type WebApp } from '../harness/web-app.ts';
import { type Evaluating, nextFrames, type Written } from './elements/play.ts';
import { fromEverywhere, publishWalls, VIEWS } from './pressing/walls.ts';

const programs = inject('firefox');
/** A room in which the mouse turns. */
const turning = { camera: { rotate: true, rotate_left_button: true } };
const small = { width: 800, height: 600, depth: 800 };
/** From each side, looking at each of the four walls. */
const FOUR = ['ahead from z = 0', 'back from below', 'right from z < 0', 'left from z > 0'];
const fourViews = Object.fromEntries(FOUR.map((name) => [name, VIEWS[name]!]));

let app: WebApp;
let firefox: Firefox;
let site: Site;
let body = '';
const open: FirefoxPage[] = [];

const isThere = (page: Evaluating, selector: string) =>
  expect.poll(() => page.evaluate((each) => document.querySelector(each) !== null, selector)).toBe(true);
const textOf = (page: Evaluating, selector: string) =>
  page.evaluate((each) => document.querySelector(each)?.textContent ?? '', selector);
const azimuthIn = (page: Evaluating) => page.evaluate(() => window.enfilade!.stage!.rig.azimuth);

/** Opens a room in a window of a new visitor. */
async function visit(path: string): Promise<FirefoxPage> {
  const page = await firefox.newPage();
  open.push(page);
  await page.goto(app.origin + path);
  return page;
}

/** Enters the room of a page as people do who use the keyboard. */
async function enter(page: FirefoxPage): Promise<void> {
  await isThere(page, '#entrance.is-ready');
  await page.evaluate(() => document.getElementById('entrance')!.focus());
  await page.press('Enter');
  await isThere(page, '#room[data-state="ready"]');
  await expect.poll(() => page.evaluate(() => document.getElementById('entrance')!.checkVisibility())).toBe(false);
}

async function visitInside(path: string): Promise<FirefoxPage> {
  const page = await visit(path);
  await enter(page);
  return page;
}

beforeAll(async () => {
  if (!programs) return;
  [app, firefox, site] = await Promise.all([startWebApp(), Firefox.start(programs), startSite(() => body)]);
});
afterEach(async () => {
  for (const page of open.splice(0)) await page.close();
});
afterAll(async () => {
  await firefox?.close();
  await Promise.all([app?.close(), site?.close()]);
});

describe.skipIf(!programs)('a visitor with Firefox', () => {
  test('enters a room, and turns by dragging and by key', async () => {
    const page = await visitInside(await app.publish({ ...small, title: 'Hall', config: turning }));
    expect(await textOf(page, 'h1')).toBe('Hall');
    const before = await azimuthIn(page);
    await page.mouse(
      [300, 330, 360, 420].map((x) => ({ x, y: 200 })),
      'held',
    );
    await expect.poll(async () => Math.abs((await azimuthIn(page)) - before)).toBeGreaterThan(0.02);
    const turned = await azimuthIn(page);
    await page.evaluate(() => document.getElementById('room')!.focus());
    await page.hold('e', () =>
      expect.poll(async () => Math.abs((await azimuthIn(page)) - turned)).toBeGreaterThan(0.1),
    );
    expect(page.faults).toEqual([]);
  });

  test('opens the doors of four walls by mouse', async () => {
    const door: Written = {
      element: 'button',
      name: 'door',
      config: { title: 'In', font_size: 60, navigation: { type: 'event', type_config: { name: 'pressed' } } },
    };
    const page = await visitInside(await publishWalls(app, [door]));
    // Controls would lie over what is pressed.
    await page.evaluate(() => document.getElementById('overlay')!.style.setProperty('display', 'none'));
    const presses = () =>
      page.evaluate(() => (window.dataLayer ?? []).filter(({ event }) => event === 'pressed').length);
    let last = 0;
    const mouse = async ({ x, y }: { x: number; y: number }) => {
      const before = await presses();
      // Two presses at one place are not to be a double click.
      await page.evaluate(async (until) => {
        while (performance.now() < until) await new Promise(requestAnimationFrame);
      }, last + 501);
      await page.mouse([
        { x: x + 3, y },
        { x, y },
      ]);
      await nextFrames(page);
      await page.click({ x, y });
      last = await page.evaluate(() => performance.now());
      await nextFrames(page);
      return (await presses()) === before + 1;
    };
    const worked = await fromEverywhere(page, 'door', { mouse }, fourViews);
    expect(worked).toEqual({ mouse: FOUR });
    expect(page.faults).toEqual([]);
  });

  test('enters a protected room with a code, after a wrong one was refused', async () => {
    const room = await app.client.rooms.create({ body: { ...small, title: 'Vault' } });
    const endpoint = { name: 'Vault', room_id: room.id, is_protected: true };
    const { id, slug } = await app.client.endpoints.create({ body: endpoint });
    const { token } = await app.client.accessTokens.create({ body: { endpoint_id: id } });
    const page = await visit(`/${slug}`);
    await isThere(page, 'input[type="password"]');
    await page.evaluate(() => document.querySelector<HTMLElement>('input[type="password"]')!.focus());
    await page.press('x', 'Enter');
    await expect.poll(() => textOf(page, 'body')).toContain('That code isn’t valid. Check it and try again.');
    await page.evaluate(() => document.querySelector<HTMLInputElement>('input[type="password"]')!.select());
    await page.press(token, 'Enter');
    await enter(page);
    expect(await textOf(page, 'h1')).toBe('Vault');
  });

  test('waits for a timed room, and hears how much is left of one that runs', async () => {
    const config = { duration: 900, show_timed_timer: 'top_right' as const };
    const room = await app.client.rooms.create({ body: { ...small, title: 'Show', config } });
    /** Publishes the room with a start so many minutes from now; gives its path. */
    const timed = async (minutes: number) => {
      const at = new Date((Math.floor(app.clock.now() / 60_000) + minutes) * 60_000);
      const start_time_utc_offset = at.getUTCHours() * 60 + at.getUTCMinutes() - 720;
      const starts = { is_timed: true, start_time: '12:00', start_time_utc_offset, show_countdown: true };
      const endpoint = { name: `Show in ${minutes}`, room_id: room.id, ...starts };
      return `/${(await app.client.endpoints.create({ body: endpoint })).slug}`;
    };
    const waiting = await visit(await timed(10));
    const left = () => textOf(waiting, '[role="timer"]');
    await expect.poll(left).toMatch(/^00:\d\d:\d\d$/);
    const first = await left();
    await expect.poll(left).not.toBe(first);
    const inside = await visitInside(await timed(-3));
    await expect.poll(() => textOf(inside, '[role="timer"]')).toMatch(/^1[01]:\d\d$/);
    expect(inside.faults).toEqual([]);
  });

  test('sees who else is there, and that they have left', async () => {
    const path = await app.publish({ ...small, title: 'Hall', config: { realtime: true } });
    const countIn = (page: Evaluating) =>
      page.evaluate(() => window.enfilade!.stage!.scene.state().markers?.length ?? 0);
    const one = await visitInside(path);
    const two = await visitInside(path);
    await expect.poll(() => countIn(two)).toBe(1);
    await expect.poll(() => countIn(one)).toBe(1);
    await open.splice(open.indexOf(two), 1)[0]!.close();
    await expect.poll(() => countIn(one)).toBe(0);
    expect(one.faults).toEqual([]);
  });

  test('plays a live stream, and plays on after an interruption', async () => {
    const broadcaster = await Broadcaster.create();
    await firefox.answer('stream.example', (path) => broadcaster.reply(path));
    const page = await visitInside(
      await app.publish({ ...small, title: 'Concert' }, [
        {
          element: 'live_stream',
          position_z: -100,
          width: 300,
          height: 200,
          config: { type: 'wowza_live', src: 'https://stream.example/concert/list.m3u8', muted: true },
        },
      ]),
    );
    const media = () =>
      page.evaluate(() => {
        const { paused, currentTime, src } = document.querySelector<HTMLMediaElement>('[data-media]')!;
        return { paused, currentTime, isBuffered: src.startsWith('blob:') };
      });
    const message = () => textOf(page, '.stage-trouble');
    const PATIENCE = { timeout: 30_000 };
    await isThere(page, '[data-media]');
    await expect.poll(async () => (await media()).currentTime, PATIENCE).toBeGreaterThan(0.2);
    expect(await media()).toMatchObject({ paused: false, isBuffered: true });
    broadcaster.interruption = 'unavailable';
    await expect.poll(message, PATIENCE).toBe('The stream was interrupted. Reconnecting…');
    const { currentTime: interrupted } = await media();
    broadcaster.interruption = undefined;
    await expect.poll(message, PATIENCE).toBe('');
    await expect.poll(async () => (await media()).currentTime, PATIENCE).toBeGreaterThan(interrupted + 0.5);
    expect((await media()).paused).toBe(false);
  });

  test('meets a room in a page of another site, which drives it with the SDK', async () => {
    await app.client.organizations.update({ body: { name: 'One', embed_domains: [{ domain: site.origin }] } });
    const path = await app.publish({ ...small, title: 'Gallery', config: turning });
    body = `<!doctype html><title>Host</title><body style="margin:0"><script type="module">
      await import('${app.origin}/embed.js');
      window.ready = await document.querySelector('enfilade-room').room.ready;
    </script>
    <enfilade-room src="${app.origin}/embed${path}" autoload style="width: 600px; height: 380px"></enfilade-room></body>`;
    const page = await firefox.newPage();
    open.push(page);
    await page.goto(site.origin);
    await expect
      .poll(() => page.evaluate(() => (window as typeof window & { ready?: unknown }).ready))
      .toMatchObject({ title: 'Gallery', path });
    const frame = await page.frame('/embed/');
    const before = await azimuthIn(frame);
    await page.mouse(
      [300, 330, 360, 420].map((x) => ({ x, y: 200 })),
      'held',
    );
    await expect.poll(async () => Math.abs((await azimuthIn(frame)) - before)).toBeGreaterThan(0.02);
  });
});
