import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { qrSvg } from '../../src/admin/frame/QrCode.tsx';
import { type Client, createClient } from '../../src/contract/client.ts';
import { accessibilityFaults } from '../harness/admin-page.ts';
import { launchForTests } from '../harness/chromium.ts';
import { webSuite } from '../harness/web-suite.ts';

const web = webSuite();

/** Size of the camera's image. */
const VIDEO = { width: 640, height: 480 };
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1, hasTouch: true, locale: 'en-GB' };

let folder: string;
let browser: Browser;
let client: Client;
let endpoint_id: number;
let link: string;

/** A video of a QR code as a camera shows it: Motion JPEG of one image. */
async function videoOf(text: string): Promise<string> {
  const code = await sharp(Buffer.from(qrSvg(text)))
    .resize(420, 420, { kernel: 'nearest' })
    .png()
    .toBuffer();
  const frame = await sharp({ create: { ...VIDEO, channels: 3, background: '#777' } })
    .composite([{ input: code }])
    .jpeg({ chromaSubsampling: '4:2:0' })
    .toBuffer();
  const file = join(folder, 'camera.mjpeg');
  await writeFile(file, frame);
  return file;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'check-in-'));
  client = web.app.client;
  const { id: room_id } = await client.rooms.create({ body: { title: 'Room' } });
  const body = { name: 'Gala dinner', slug: 'gala', room_id, is_protected: true };
  endpoint_id = (await client.endpoints.create({ body })).id;
  const guests = { ann: 'Ann Vos', bob: 'Bob Jansen', cas: 'Cas de Wit' };
  for (const [token, holder_name] of Object.entries(guests))
    await client.accessTokens.create({ body: { endpoint_id, token, holder_name, group: 'Press', note: 'Table 4' } });
  const { token } = await client.checkIn.create({ params: { id: endpoint_id }, body: { name: 'Front door' } });
  link = `${web.app.origin}/check-in#${token}`;
  const camera = await videoOf(`${web.app.origin}/gala#access_token=ann`);
  const flags = [
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    `--use-file-for-fake-video-capture=${camera}`,
  ];
  browser = await launchForTests(inject('shell'), inject('drawing'), flags);
});
afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

const checkedIn = async () => {
  const { data } = await client.accessTokens.list({ query: { endpoint_id } });
  return data.filter(({ checked_in_at }) => checked_in_at !== null).map(({ token }) => token);
};

test('a phone scans a code, checks the guest in and undoes it', async () => {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  await page.goto(link);
  await page.getByRole('heading', { name: 'Ann Vos' }).waitFor();
  await page.getByText('Table 4').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Check in' }).click();
  await page.getByText(/^Checked in at/).waitFor();
  await page.getByText('1 / 3').waitFor();
  expect(await checkedIn()).toEqual(['ann']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Valid', { exact: true }).waitFor();
  expect(await checkedIn()).toEqual([]);
  await context.close();
});

/** Typing needs no camera. */
async function openWithoutCamera(page: Page, url: string): Promise<void> {
  await page.addInitScript(() => Object.defineProperty(navigator, 'mediaDevices', { value: undefined }));
  await page.goto(url);
  await page.getByText('No camera found. Type the token below.').waitFor();
}

async function find(page: Page, token: string): Promise<void> {
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Find' }).click();
}

const button = (page: Page, name: string) => page.getByRole('button', { name });

test('a phone with a wrong clock whose responses get lost', async () => {
  const { id, token } = await client.checkIn.create({ params: { id: endpoint_id }, body: { name: 'Garden' } });
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  // An hour ahead. Paused, so that it doesn't load the list again.
  const ahead = Date.now() + 3_600_000;
  await page.clock.install({ time: ahead });
  await page.clock.pauseAt(ahead + 60_000);
  await openWithoutCamera(page, `${web.app.origin}/check-in#${token}`);
  const reconnect = async () => {
    await context.setOffline(true);
    await context.setOffline(false);
  };

  // The first list of a link has no keys yet.
  await context.setOffline(true);
  await find(page, 'nobody');
  await page.getByText('Can’t be checked without a connection').waitFor();
  await button(page, 'Next').click();
  await context.setOffline(false);

  // The server receives the check-in, but its response gets lost.
  const checkIns = '**/guests/*/check-in';
  const lose = () =>
    page.route(checkIns, async (route) => {
      await route.fetch();
      await route.abort('connectionfailed');
    });
  await lose();
  await find(page, 'cas');
  await button(page, 'Check in').click();
  await page.getByText('Offline · 1 change to send').waitFor();
  const { data } = await client.accessTokens.list({ query: { endpoint_id, search: 'cas' } });
  expect(Math.abs(Date.parse(data[0]!.checked_in_at!) - (ahead - 3_600_000))).toBeLessThan(120_000);
  await page.unroute(checkIns);
  await reconnect();
  await page.locator('.connection').waitFor({ state: 'detached' });
  expect(await page.getByRole('alert').count()).toBe(0);
  await button(page, 'Undo').click();
  await page.getByText('Valid', { exact: true }).waitFor();
  expect(await checkedIn()).toEqual([]);

  // Undone before the phone has a connection again.
  await lose();
  await button(page, 'Check in').click();
  await page.getByText('Offline · 1 change to send').waitFor();
  expect(await checkedIn()).toEqual(['cas']);
  await button(page, 'Undo').click();
  await page.getByText('Offline · 2 changes to send').waitFor();
  await page.unroute(checkIns);
  await reconnect();
  await page.locator('.connection').waitFor({ state: 'detached' });
  expect(await checkedIn()).toEqual([]);
  expect(await page.getByRole('alert').count()).toBe(0);

  // The page of a revoked link sends no more requests.
  await client.checkIn.remove({ params: { id } });
  await page.clock.runFor(2000);
  await page.getByText('This check-in link no longer works.').waitFor();
  let requests = 0;
  page.on('request', () => requests++);
  await page.clock.runFor(60_000);
  await page.evaluate(() => fetch('/check-in'));
  expect(requests).toBe(1);
  await context.close();
});

test('the page opens again without a connection, in the language of the phone', async () => {
  const { id, token } = await client.checkIn.create({ params: { id: endpoint_id }, body: { name: 'Side door' } });
  const door = createClient({ origin: web.app.origin, token: () => token });
  await expect.poll(async () => (await door.checkIn.guests()).guests.every(({ key }) => key !== null)).toBe(true);
  const context = await browser.newContext({ ...PHONE, locale: 'de-DE' });
  await context.addInitScript(() => Object.defineProperty(navigator, 'mediaDevices', { value: undefined }));
  const page = await context.newPage();
  const url = `${web.app.origin}/check-in#${token}`;
  await page.goto(url);
  await page.getByText('Keine Kamera gefunden.').waitFor();
  expect(await page.evaluate(() => [document.documentElement.lang, document.title])).toEqual([
    'de',
    'Einlass · Enfilade',
  ]);
  expect(await accessibilityFaults(page)).toEqual([]);
  const isStored = async () => {
    const stored: string[] = [];
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) stored.push(new URL(url).pathname);
    return (
      navigator.serviceWorker.controller !== null &&
      stored.some((path) => path.startsWith('/check-in/guests/')) &&
      stored.some((path) => path.endsWith('.js'))
    );
  };
  await expect.poll(() => page.evaluate(isStored), { timeout: 60_000 }).toBe(true);

  await context.setOffline(true);
  await page.reload();
  await page.getByText('Offline').waitFor();
  await page.getByLabel('Code').fill('cas');
  await page.getByRole('button', { name: 'Suchen' }).click();
  await page.getByRole('heading', { name: 'Cas de Wit' }).waitFor();
  await page.getByRole('button', { name: 'Einlassen' }).click();
  await page.getByText(/^Eingelassen um \d\d:\d\d$/).waitFor();
  // Closed and opened once more: the change still waits.
  await page.reload();
  await page.getByText('Offline · 1 Änderung zu senden').waitFor();
  await context.setOffline(false);
  await page.locator('.connection').waitFor({ state: 'detached' });
  expect(await checkedIn()).toEqual(['cas']);
  const stored = await page.evaluate(async () => {
    const lists = await caches.open('check-in-guests');
    const texts = await Promise.all(
      (await lists.keys()).map(async (key) => `${key.url} ${await (await lists.match(key))!.text()}`),
    );
    return `${JSON.stringify(localStorage)} ${texts.join(' ')}`;
  });
  expect(stored).toContain('Cas de Wit');
  for (const secret of ['"cas"', 'access_token', token]) expect(stored).not.toContain(secret);

  // A revoked link leaves nothing behind.
  const { data } = await client.accessTokens.list({ query: { endpoint_id, search: 'cas' } });
  await door.checkIn.undo({ params: { id: data[0]!.id }, body: { checked_in_at: data[0]!.checked_in_at! } });
  await client.checkIn.remove({ params: { id } });
  await page.getByLabel('Code').fill('cas');
  await page.getByRole('button', { name: 'Suchen' }).click();
  await page.getByText('Dieser Einlass-Link funktioniert nicht mehr.').waitFor();
  const lists = () => page.evaluate(async () => (await (await caches.open('check-in-guests')).keys()).length);
  await expect.poll(lists).toBe(0);
  await context.close();
});

test('two phones, one of them offline: one check-in counts, and the other phone shows the conflict', async () => {
  const contexts = await Promise.all([browser.newContext(PHONE), browser.newContext(PHONE)]);
  const pages = await Promise.all(contexts.map((context) => context.newPage()));
  const [one, two] = pages as [Page, Page];
  const door = createClient({ origin: web.app.origin, token: () => link.split('#')[1]! });
  await expect.poll(async () => (await door.checkIn.guests()).guests.every(({ key }) => key !== null)).toBe(true);
  for (const page of [one, two]) await openWithoutCamera(page, link);
  const checkIn = async (page: Page, token: string) => {
    await find(page, token);
    await button(page, 'Check in').click();
    await page.getByText(/^Checked in at/).waitFor();
    await button(page, 'Next').click();
  };
  await contexts[1]!.setOffline(true);
  await find(two, 'nobody');
  await two.getByText('Unknown token').waitFor();
  await button(two, 'Next').click();
  await checkIn(two, 'bob');
  await checkIn(two, 'cas');
  await two.getByText('Offline · 2 changes to send').waitFor();
  const stored = await two.evaluate(() => JSON.stringify(localStorage));
  for (const secret of ['"bob"', 'access_token', link.split('#')[1]!]) expect(stored).not.toContain(secret);
  await checkIn(one, 'bob');
  expect(await checkedIn()).toEqual(['bob']);
  await contexts[1]!.setOffline(false);
  await two.getByText(/^Bob Jansen: Already checked in at/).waitFor();
  await expect.poll(async () => (await checkedIn()).toSorted()).toEqual(['bob', 'cas']);
  await two.getByText('2 / 3').waitFor();
  await find(one, 'cas');
  await one.getByText(/^Already checked in at/).waitFor();
  // Refused lookups use the list, too.
  await button(one, 'Next').click();
  const guesses = Array.from({ length: 61 }, () => door.checkIn.find({ body: { token: 'guess' } }));
  expect((await Promise.allSettled(guesses)).map(({ status }) => status)).toContain('rejected');
  await find(one, 'ann');
  await one.getByRole('heading', { name: 'Ann Vos' }).waitFor();
  const { links } = await client.checkIn.links({ params: { id: endpoint_id } });
  await client.checkIn.remove({ params: { id: links[0]!.id } });
  await find(two, 'ann');
  await two.getByText('This check-in link no longer works.').waitFor();
  await Promise.all(contexts.map((context) => context.close()));
});
