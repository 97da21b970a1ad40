import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { accessibilityFaults, openAdmin, settled } from '../../harness/admin-page.ts';
import { WOWZA, WowzaStandIn } from '../../harness/stand-ins/wowza.ts';
import { webSuite } from '../../harness/web-suite.ts';

const wowza = new WowzaStandIn();
const web = webSuite({
  environment: async () => {
    await wowza.start();
    return { ...WOWZA, WOWZA_URL: wowza.url };
  },
});
// A request that the platform would not understand fails the test, whatever the screen made of the answer.
afterEach(() => expect(wowza.wrong.splice(0)).toEqual([]));
afterAll(() => wowza.stop());

const open = (path: string) => openAdmin(web.app, web.browser, path);
const make = async (name: string, encoder: 'other_rtmp' | 'other_webrtc' = 'other_rtmp') =>
  web.app.client.liveStreams.create({ body: { name, type: 'wowza_live', new_stream: { name, encoder } } });

describe('live streams', () => {
  test('a new broadcast is made on its platform, and its encoder told where to connect', async () => {
    const { page, close } = await open('/admin/live-streams');
    await page.getByText('There are no live streams yet.').waitFor();
    await page.getByRole('link', { name: 'Add new' }).first().click();
    await page.getByRole('radio', { name: 'New broadcast' }).check();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Give the live stream a name.').waitFor();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Opening night');
    await page.getByLabel('Broadcast name').fill('Opening');
    await page.getByRole('combobox', { name: 'Encoder' }).click();
    await page.getByRole('option', { name: 'Encoder (RTMP)' }).click();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('heading', { name: 'Encoder connection' }).waitFor();
    expect(await page.getByLabel('Stream name', { exact: true }).inputValue()).not.toBe('');
    expect(wowza.streams.map(({ name }) => name)).toContain('Opening');
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await close();
  });

  test("while it is active it can't be edited, and leaving is warned of", async () => {
    const { id, reference } = await make('Concert');
    const { page, close } = await open(`/admin/live-streams/${id}`);
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByText('The platform is starting the stream.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Name', exact: true }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await page.getByRole('link', { name: 'Dashboard' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Your live stream is still active. Please stop it before leaving').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    wowza.streams.find((stream) => stream.id === reference)!.state = 'started';
    // Who looks at the page again need not wait until the platform is asked next.
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await page.getByText('The stream is live.').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    await close();
  });

  test('a start on the platform is noticed without anything pressed, and a stop there when the page is looked at', async () => {
    const { reference } = await make('Somebody else');
    const { page, context } = await openAdmin(web.app, web.browser, '/admin/live-streams');
    await page.clock.install();
    await page.getByRole('link', { name: 'Edit: Somebody else' }).click();
    await page.getByRole('heading', { level: 1, name: 'Somebody else' }).waitFor();
    await page.getByText('Stopped', { exact: true }).waitFor();
    const stream = wowza.streams.find((one) => one.id === reference)!;
    stream.state = 'starting';
    await page.clock.runFor(2_000);
    expect(await page.getByText('Stopped', { exact: true }).isVisible()).toBe(true);
    await page.clock.runFor(8_000);
    await page.getByText('The platform is starting the stream.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Name', exact: true }).isDisabled()).toBe(true);
    stream.state = 'started';
    await page.clock.runFor(10_000);
    await page.getByText('The stream is live.').waitFor();
    stream.state = 'stopped';
    const asked = wowza.seen.length;
    await page.clock.runFor(60_000);
    expect(wowza.seen).toHaveLength(asked);
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await page.getByText('Stopped', { exact: true }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Name', exact: true }).isEnabled()).toBe(true);
    await context.close();
  });

  test('a platform that refuses to start is quoted until the next try, and one that does not answer is asked again', async () => {
    const { id } = await make('Refused');
    const { page, context } = await open(`/admin/live-streams/${id}`);
    await page.clock.install();
    await page.reload();
    await page.getByText('Stopped', { exact: true }).waitFor();
    // A window that comes to the front asks for the state, too.
    wowza.failNextOf('/start', 'broken');
    await page.getByRole('button', { name: 'Start' }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'Wowza' });
    await alert.waitFor();
    await page.getByText('Stopped', { exact: true }).waitFor();
    await page.clock.runFor(10_000);
    expect(await alert.isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByText('The platform is starting the stream.').waitFor();
    await alert.waitFor({ state: 'detached' });
    wowza.failNext('broken');
    await page.clock.runFor(10_000);
    await alert.waitFor();
    await page.clock.runFor(10_000);
    await alert.waitFor({ state: 'detached' });
    await context.close();
  });

  test('a webcam stream without a camera says what to connect', async () => {
    const { id } = await make('From my desk', 'other_webrtc');
    const { page, close } = await open(`/admin/live-streams/${id}`);
    await page.getByText('Please connect a webcam or camera to your device.').first().waitFor();
    await close();
  });

  test('a platform that fails is said, and asked again', async () => {
    await make('Waiting room');
    wowza.failNext('broken');
    const { page, close } = await open('/admin/live-streams/add');
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('combobox', { name: 'Broadcast' }).click();
    await page.getByRole('option', { name: 'Waiting room' }).waitFor();
    await close();
  });

  test('its name is changed in the list, with Undo', async () => {
    await make('First show');
    const { page, close } = await open('/admin/live-streams');
    await page.getByRole('link', { name: 'First show', exact: true }).press('F2');
    await page.getByRole('textbox', { name: 'Name of First show' }).fill('Late show');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Late show', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'First show', exact: true }).waitFor();
    await close();
  });

  test('removing asks first', async () => {
    await make('Old show');
    const { page, close } = await open('/admin/live-streams');
    await page.getByRole('row').filter({ hasText: 'Old show' }).hover();
    await page.getByRole('button', { name: 'Remove: Old show' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Are you sure you want to remove this live stream?').waitFor();
    await dialog.getByText('The live stream will be removed. This cannot be undone.').waitFor();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('The live stream has been removed.').first().waitFor();
    await close();
  });
});
