import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newVisitor, sharedBrowser } from '../harness/browser.ts';
import { closeContexts } from '../harness/used-pages.ts';
import { startWebApp, type WebApp } from '../harness/web-app.ts';

/** Shortest time without input that a kiosk may have. */
const SECONDS = 10;

let browser: Browser;
let app: WebApp;
/** Public paths: a kiosk, one that isn't, and a protected kiosk. */
let start: string;
let other: string;
let closed: string;
let startId: number;
let isClosed = false;

const structureAt = async (path: string) => {
  const all = await app.client.endpoints.list({ query: {} });
  return all.find((endpoint) => endpoint.path === path)!;
};
const set = (id: number, body: { kiosk_seconds?: number | null; is_protected?: boolean }) =>
  app.client.endpoints.update({ params: { id }, body });

beforeAll(async () => {
  browser = await sharedBrowser('quick');
  app = await startWebApp();
  const { id: file_id } = await app.upload('fixtures/media/panorama.jpg');
  const { id: template_id } = await app.client.templates.create({
    body: { name: 'Lake', model_type: 'pano', file_id },
  });
  start = await app.publish({ title: 'Lake', template_id });
  other = await app.publish({ title: 'Elsewhere' });
  closed = await app.publish({ title: 'Closed' });
  startId = (await structureAt(start)).id;
  await set(startId, { kiosk_seconds: SECONDS });
  await set((await structureAt(closed)).id, { kiosk_seconds: SECONDS, is_protected: true });
}, 120_000);
afterAll(async () => {
  await closeContexts(browser);
  if (!isClosed) await app?.close();
});

const isReady = (page: Page) => page.locator('#room[data-state="ready"]').waitFor();
const pathOf = (page: Page) => new URL(page.url()).pathname;
const storedFiles = (page: Page) =>
  page.evaluate(async () => {
    const found = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
    return found.flat().map(({ url }) => new URL(url).pathname);
  });

describe('a structure that is a kiosk', () => {
  test('opens by itself, stays one in other structures, and returns to its start', async () => {
    const { page, close } = await newVisitor(browser, { isNew: true });
    await page.goto(app.origin + start);
    await isReady(page);
    await page.locator('#entrance').waitFor({ state: 'hidden' });
    await page.evaluate((path) => location.assign(path), other);
    await page.waitForURL(app.origin + other);
    await isReady(page);
    await page.locator('#entrance').waitFor({ state: 'hidden' });
    for (const out of ['https://example.com/', '/admin', `${other}?text`, '/check-in']) {
      await page.evaluate((address) => {
        location.href = address;
      }, out);
      expect(page.url(), out).toBe(app.origin + other);
    }
    await page.waitForURL(app.origin + start, { timeout: 60_000 });
    await close();
  });

  test('stores nothing of a protected structure', async () => {
    const { page, close } = await newVisitor(browser, { isNew: true });
    await page.goto(app.origin + closed);
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
    await expect.poll(() => page.evaluate(() => sessionStorage.getItem('enfilade.kiosk'))).toContain(closed);
    expect(await page.evaluate(() => navigator.serviceWorker.getRegistrations())).toEqual([]);
    expect(await storedFiles(page)).toEqual([]);
    await close();
  });

  test('is none in frames and previews, nor once the setting is off', async () => {
    const rootOf = async (path: string) => /<html[^>]*>/.exec(await (await fetch(app.origin + path)).text())?.[0];
    expect(await rootOf(start)).toContain(`data-kiosk="${SECONDS}"`);
    expect(await rootOf(`/embed${start}`)).not.toContain('data-kiosk');
    const { page, close } = await newVisitor(browser, { isNew: true });
    await page.goto(app.origin + start);
    await isReady(page);
    await set(startId, { kiosk_seconds: null });
    await page.reload();
    await isReady(page);
    await page.locator('#entrance').waitFor();
    await close();
  });

  test('works without the server once it was open', async () => {
    await set(startId, { kiosk_seconds: SECONDS });
    const { page, context } = await newVisitor(browser, { isNew: true });
    await page.goto(app.origin + start);
    await isReady(page);
    await expect.poll(async () => (await storedFiles(page)).includes(start), { timeout: 30_000 }).toBe(true);
    await expect.poll(async () => (await storedFiles(page)).some((path) => path.startsWith('/media/'))).toBe(true);
    await page.reload();
    await isReady(page);
    isClosed = true;
    await app.close();
    await page.reload();
    await isReady(page);
    expect(pathOf(page)).toBe(start);
    await context.close();
  });
});
