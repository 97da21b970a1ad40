import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openAdmin } from '../../harness/admin-page.ts';
import { launchForTests } from '../../harness/chromium.ts';
import { CameraReceiver, type ReceivedCamera } from '../../harness/stand-ins/camera-receiver.ts';
import { WOWZA, WowzaStandIn } from '../../harness/stand-ins/wowza.ts';
import { webSuite } from '../../harness/web-suite.ts';

const wowza = new WowzaStandIn();
const receiver = new CameraReceiver();
const web = webSuite({
  environment: async () => {
    await Promise.all([wowza.start(), receiver.start()]);
    return { ...WOWZA, WOWZA_URL: wowza.url };
  },
});
afterAll(() => Promise.all([wowza.stop(), receiver.stop()]));

/** A browser with a camera and a microphone that exist in it alone, which takes the receiver's own certificate. */
let browser: Browser;
beforeAll(async () => {
  const flags = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream', '--ignore-certificate-errors'];
  browser = await launchForTests(inject('shell'), inject('drawing'), flags);
});
afterAll(() => browser.close());

const openWithCamera = (path: string) => openAdmin(web.app, browser, path);

const make = (name: string) =>
  web.app.client.liveStreams.create({
    body: { name, type: 'wowza_live', new_stream: { name, encoder: 'other_webrtc' } },
  });
const setState = (reference: string, state: string) => {
  wowza.streams.find(({ id }) => id === reference)!.state = state;
};
/** Looks at the page again, which asks the platform at once and not only after ten seconds. */
const lookAgain = (page: Page) => page.evaluate(() => dispatchEvent(new Event('focus')));
const start = (page: Page) => page.getByRole('button', { name: 'Start' }).click();
const latest = (): ReceivedCamera => receiver.cameras.at(-1)!;

describe('the camera of a browser', () => {
  test.each([
    ['a WHIP endpoint', (id: string) => receiver.whipAddress(id)],
    ['Wowza’s socket', () => receiver.socketAddress()],
  ])('is shown while the stream is stopped, and arrives at %s once it has started', async (_, address) => {
    wowza.cameraAddress = address;
    const { id, reference } = await make('From my desk');
    const { page, context } = await openWithCamera(`/admin/live-streams/${id}`);
    const preview = page.getByLabel('Preview', { exact: true });
    await expect.poll(() => preview.evaluate((video: HTMLVideoElement) => video.videoWidth)).toBeGreaterThan(0);
    const before = receiver.cameras.length;
    await start(page);
    await page.getByText('The platform is starting the stream.').waitFor();
    expect(receiver.cameras.length).toBe(before);
    setState(reference, 'started');
    await lookAgain(page);
    await page.getByText('This camera is being sent.').waitFor();
    await expect.poll(() => latest().frames).toBeGreaterThan(10);
    await expect.poll(() => latest().sounds).toBeGreaterThan(10);
    expect(latest().stream).toContain(reference);
    await page.getByLabel('Player').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await preview.waitFor();
    await expect.poll(() => latest().isEnded, { timeout: 30_000 }).toBe(true);
    await context.close();
  });

  test('is sent again when the connection breaks; a refusal is said, and tried again when asked to', async () => {
    wowza.cameraAddress = receiver.whipAddress;
    const { id, reference } = await make('From the lab');
    const { page, context } = await openWithCamera(`/admin/live-streams/${id}`);
    await page.getByLabel('Preview', { exact: true }).waitFor();
    receiver.refusal = 409;
    await start(page);
    await page.getByText('The platform is starting the stream.').waitFor();
    setState(reference, 'started');
    await lookAgain(page);
    const alert = page.getByRole('alert').filter({ hasText: 'This camera is not being sent' });
    await alert.getByText('another device is sending to this stream').waitFor({ timeout: 30_000 });
    receiver.refusal = 0;
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('This camera is being sent.').waitFor();
    const sent = receiver.cameras.length;
    await latest().drop();
    await expect.poll(() => receiver.cameras.length, { timeout: 60_000 }).toBe(sent + 1);
    await expect.poll(() => latest().frames).toBeGreaterThan(10);
    await context.close();
  });

  test('of a stream that was started elsewhere stays off until it is asked for', async () => {
    wowza.cameraAddress = receiver.whipAddress;
    const { id, reference } = await make('From the office');
    setState(reference, 'started');
    const { page, context } = await openWithCamera(`/admin/live-streams/${id}`);
    const button = page.getByRole('button', { name: 'Send this camera' });
    await button.waitFor();
    const before = receiver.cameras.length;
    expect(await page.getByLabel('Preview', { exact: true }).count()).toBe(0);
    await button.click();
    await page.getByText('This camera is being sent.').waitFor();
    expect(receiver.cameras.length).toBe(before + 1);
    await expect.poll(() => latest().frames).toBeGreaterThan(0);
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await expect.poll(() => latest().isEnded, { timeout: 30_000 }).toBe(true);
    await context.close();
  });
});
