import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { qrSvg } from '../../src/admin/frame/QrCode.tsx';
import type { Client } from '../../src/contract/client.ts';
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

test('two phones, one of them offline: one check-in counts, and the other phone shows the conflict', async () => {
  const contexts = await Promise.all([browser.newContext(PHONE), browser.newContext(PHONE)]);
  const [one, two] = await Promise.all(contexts.map((context) => context.newPage()));
  // Typing needs no camera.
  for (const page of [one!, two!]) {
    await page.addInitScript(() => Object.defineProperty(navigator, 'mediaDevices', { value: undefined }));
    await page.goto(link);
    await page.getByText('No camera found. Type the token below.').waitFor();
  }
  const find = async (page: typeof one, token: string) => {
    await page!.getByLabel('Token').fill(token);
    await page!.getByRole('button', { name: 'Find' }).click();
  };
  const checkIn = async (page: typeof one, token: string) => {
    await find(page, token);
    await page!.getByRole('button', { name: 'Check in' }).click();
    await page!.getByText(/^Checked in at/).waitFor();
    await page!.getByRole('button', { name: 'Next' }).click();
  };
  await contexts[1]!.setOffline(true);
  await find(two, 'nobody');
  await two!.getByText('Unknown token').waitFor();
  await two!.getByRole('button', { name: 'Next' }).click();
  await checkIn(two, 'bob');
  await checkIn(two, 'cas');
  await two!.getByText('Offline · 2 changes to send').waitFor();
  const stored = await two!.evaluate(() => JSON.stringify(localStorage));
  for (const secret of ['"bob"', 'access_token', link.split('#')[1]!]) expect(stored).not.toContain(secret);
  await checkIn(one, 'bob');
  expect(await checkedIn()).toEqual(['bob']);
  await contexts[1]!.setOffline(false);
  await two!.getByText(/^Bob Jansen: Already checked in at/).waitFor();
  await expect.poll(async () => (await checkedIn()).toSorted()).toEqual(['bob', 'cas']);
  await two!.getByText('2 / 3').waitFor();
  await find(one, 'cas');
  await one!.getByText(/^Already checked in at/).waitFor();
  const { links } = await client.checkIn.links({ params: { id: endpoint_id } });
  await client.checkIn.remove({ params: { id: links[0]!.id } });
  await find(two, 'ann');
  await two!.getByText('This check-in link no longer works.').waitFor();
  await Promise.all(contexts.map((context) => context.close()));
});
