import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NestedRoom } from '../../engine/document/room.ts';
import { createClient } from '../../src/contract/client.ts';
import type { PublicEndpoint } from '../../src/contract/entities.ts';
import { enterRoom, LOOKED_AT, newVisitor, sharedBrowser } from '../harness/browser.ts';
import { CommandLine } from '../harness/command-line.ts';
import { type FileServer, serveFolder } from '../harness/file-server.ts';
import { type Pixels, pixelsOf } from '../harness/picture.ts';
import { publishTour } from '../harness/tour-room.ts';
import { tracePlayed } from '../harness/trace-player.ts';
import { closeContexts } from '../harness/used-pages.ts';
import { ADMIN, startWebApp } from '../harness/web-app.ts';

/** Mean difference per color, of 255, that two drawings of the same picture may have. */
const SAME = 3;
/** Steps of a visit in the room, in seconds. */
const STEPS = { title: 'A visit', steps: [0, 1, 60, 43_200].map((time) => ({ time, events: [] })) };

let browser: Browser;
let line: CommandLine;
let site: FileServer;
let kiosk: FileServer;
/** Public paths of the site. */
let pages: string[];
let tour: string;
let panorama: string;
let translated: string;
/** Rooms as the server sent them, by path. */
const rooms = new Map<string, NestedRoom>();
/** The panorama as the server's page showed it. */
let shown: Pixels;

/** The room without what stands over it. */
async function bare(page: Page): Promise<Pixels> {
  await page.addStyleTag({ content: '#entrance, #overlay, #text-twin { display: none !important }' });
  return pixelsOf(page);
}

async function openPanorama(origin: string): Promise<Pixels> {
  const { page, close } = await newVisitor(browser, { isNew: true, ...LOOKED_AT });
  await enterRoom(page, `${origin}${panorama}/`);
  const pixels = await bare(page);
  await close();
  return pixels;
}

const readJson = async (path: string) => JSON.parse(await readFile(join(line.folder, path), 'utf8'));

beforeAll(async () => {
  browser = await sharedBrowser('quick');
  const app = await startWebApp({ demo: true });
  const { client } = app;
  ({ path: tour } = await publishTour(app, 3));
  const { id: file_id } = await app.upload('fixtures/media/panorama.jpg');
  const template = await client.templates.create({ body: { name: 'Lake', model_type: 'pano', file_id } });
  const config = { camera: { fov: 60, rotate: true } };
  panorama = await app.publish({ title: 'Lake', template_id: template.id, config });
  translated = await app.publish({ title: 'Words', config: { language: 'en', languages: ['nl'] } });
  let token = '';
  const own = createClient({ origin: app.origin, token: () => null, onToken: (issued) => (token = issued) });
  await own.users.login({ body: ADMIN });
  line = await CommandLine.here({ ENFILADE_URL: app.origin, ENFILADE_KEY: token });
  await line.done('site', 'build', '--out', 'site');
  await line.done('site', 'build', tour, translated, '--out', 'kiosk', '--kiosk', '10');
  ({ pages } = await readJson('site/enfilade-site.json'));
  for (const path of pages) {
    const response = await fetch(`${app.origin}/api/v1/endpoints${path}`);
    const { data } = (await response.json()) as { data: PublicEndpoint };
    rooms.set(path, data.room!);
  }
  shown = await openPanorama(app.origin);
  // From here on, only the files are there.
  await app.close();
  site = await serveFolder(join(line.folder, 'site'));
  kiosk = await serveFolder(join(line.folder, 'kiosk'));
}, 600_000);
afterAll(async () => {
  await closeContexts(browser);
  await Promise.all([site?.close(), kiosk?.close()]);
  await line?.close();
});

/** Paths that the site doesn't have; tests leave pages through one of the server's. */
const lost = () => site.missing.filter((path) => path !== '/healthz');

describe('a static site on a plain file server', () => {
  test('has every room of the demo, and nothing leaves its host', async () => {
    expect(pages.length).toBeGreaterThan(8);
    for (const path of pages) {
      const { page, faults, close } = await newVisitor(browser);
      const hosts = new Set<string>();
      page.on('request', (request) => hosts.add(new URL(request.url()).origin));
      await enterRoom(page, `${site.origin}${path}/`);
      expect(await page.evaluate(() => window.enfilade!.state.endpoint!.path), path).toBe(path);
      hosts.delete('null');
      expect([[...hosts], faults], path).toEqual([[site.origin], []]);
      await close();
    }
    expect(lost()).toEqual([]);
  });

  test('plays rooms as the server does', async () => {
    for (const path of pages) {
      const { data } = await readJson(`site/api/v1/endpoints${path}.json`);
      expect(data.room.elements.length, path).toBe(rooms.get(path)!.elements.length);
      expect(tracePlayed(data.room, STEPS), path).toBe(tracePlayed(rooms.get(path)!, STEPS));
    }
  });

  test('draws the same picture', async () => {
    const here = await openPanorama(site.origin);
    expect(here.data.length).toBe(shown.data.length);
    let sum = 0;
    for (let at = 0; at < here.data.length; at++) sum += Math.abs(here.data[at]! - shown.data[at]!);
    expect(sum / here.data.length).toBeLessThan(SAME);
  });

  test('leads from place to place, from room to room and back, and to text views', async () => {
    const { page, faults, close } = await newVisitor(browser, { viewport: { width: 900, height: 600 } });
    await enterRoom(page, `${site.origin}${tour}/`);
    await page.getByRole('button', { name: 'To 2' }).press('Enter');
    await expect.poll(() => page.locator('button.stage-press').allTextContents()).toEqual(['To 3', 'To 1']);
    await page.evaluate((path) => window.enfilade!.goTo(path), translated);
    await expect.poll(() => page.title()).toMatch(/Words|Room/);
    expect(new URL(page.url()).pathname).toBe(`${translated}/`);
    await page.evaluate(() => window.enfilade!.state);
    await page.getByRole('button', { name: 'Language' }).click();
    await page.getByRole('button', { name: 'Nederlands' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe(`${translated}/index.nl.html`);
    await page.reload();
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('nl');
    expect(await page.locator('#text-twin').getAttribute('href')).toBe(`${translated}/text.nl.html`);
    await page.goto(`${site.origin}${translated}/text.nl.html`);
    expect(await page.locator('h1').first().textContent()).toContain('Words');
    await page.goBack();
    await page.goBack();
    await expect.poll(() => page.evaluate(() => window.enfilade?.state.endpoint?.path)).toBe(tour);
    expect([faults, lost()]).toEqual([[], []]);
    await close();
  });
});

describe('a kiosk', () => {
  test('opens without a press and without a connection, keeps visitors in, and starts again', async () => {
    const { page, context, faults } = await newVisitor(browser, { isNew: true });
    await page.goto(`${kiosk.origin}${translated}/`);
    await page.locator('#room[data-state="ready"]').waitFor();
    await expect
      .poll(() => page.evaluate(async () => Boolean(await caches.match('/kiosk-files.json'))), { timeout: 60_000 })
      .toBe(true);
    await kiosk.close();
    await page.reload();
    await page.locator('#room[data-state="ready"]').waitFor();
    await page.locator('#entrance').waitFor({ state: 'hidden' });

    const stays = async () => expect(new URL(page.url()).origin).toBe(kiosk.origin);
    await page.evaluate(() => {
      const link = Object.assign(document.createElement('a'), { href: 'https://example.com/', textContent: 'Out' });
      link.style.cssText = 'position: fixed; inset: 0 auto auto 0; z-index: 9';
      link.id = 'out';
      document.body.append(link);
    });
    await page.locator('#out').click();
    await stays();
    expect(await page.evaluate(() => window.open('https://example.com/'))).toBeNull();
    await page.evaluate(() => {
      location.href = 'https://example.com/';
    });
    await page.evaluate(() => {
      location.href = '/enfilade-site.json';
    });
    expect(new URL(page.url()).pathname).toBe(`${translated}/`);
    const small = await page
      .locator('#overlay button:visible')
      .evaluateAll((buttons) =>
        buttons.map((each) => each.getBoundingClientRect()).filter(({ width, height }) => Math.min(width, height) < 60),
      );
    expect(small).toEqual([]);

    // The last input was a while ago: the start is another room.
    await expect
      .poll(() => page.evaluate(() => window.enfilade?.state.endpoint?.path).catch(() => null), { timeout: 60_000 })
      .toBe(tour);
    await page.locator('#room[data-state="ready"]').waitFor();
    expect(faults.filter((fault) => !fault.includes('ERR_CONNECTION_REFUSED'))).toEqual([]);
    await context.close();
  });
});
