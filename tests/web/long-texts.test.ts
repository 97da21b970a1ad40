import type { Page } from 'playwright';
import { beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFaults } from '../harness/admin-page.ts';
import { enterRoom, newVisitor } from '../harness/browser.ts';
import { makeTone } from '../harness/tone.ts';
import { webSuite } from '../harness/web-suite.ts';
import { idOf, mediaBecomes, plainRoom, publishTree, send, type Written } from './elements/play.ts';

const suite = webSuite();
const shots = process.env.SHOTS;
let picture: number;
let film: number;
let narration: string;

beforeAll(async () => {
  picture = (await suite.app.upload('fixtures/media/pictures/reeds-at-dusk.jpg')).id;
  film = (await suite.app.upload('fixtures/media/morning-film.webm')).id;
  const file = new File([new Uint8Array(makeTone({ level: -20, seconds: 30 }))], 'described.wav');
  narration = (await suite.app.client.media.upload({ body: {}, files: { file } })).url;
});

const reeds = (config: object = {}): Written => ({
  element: 'image',
  name: 'Reeds',
  file_id: picture,
  width: 300,
  position_z: -200,
  config: { title: 'Reeds at dusk', long_description: 'Dark reeds.\nA pale sky behind them.', ...config },
});
const talk: Written = {
  element: 'native_video',
  name: 'Morning',
  width: 320,
  position_x: 400,
  config: { controls: true, transcript: 'First the birds.\nThen the bells.' },
};
const visit = (elements: Written[], viewport = { width: 900, height: 600 }) =>
  publishTree(suite.app, plainRoom, elements).then(async (path) => {
    const visitor = await newVisitor(suite.browser, { viewport, deviceScaleFactor: 1 });
    await enterRoom(visitor.page, suite.app.origin + path);
    return visitor;
  });

/** Text of the button or summary that has the focus. */
const focusedText = (page: Page) =>
  page.evaluate(() =>
    document.activeElement?.matches('button, summary') ? document.activeElement.textContent : undefined,
  );
/** Presses Tab until a text has the focus. */
async function tabTo(page: Page, text: string): Promise<void> {
  for (let left = 30; left > 0 && (await focusedText(page)) !== text; left--) await page.keyboard.press('Tab');
  expect(await focusedText(page)).toBe(text);
}

describe('detailed descriptions and transcripts', () => {
  test.each([
    { width: 900, height: 600 },
    { width: 390, height: 844 },
  ])('of an image up close open by keyboard: $width pixels wide', async (viewport) => {
    const { page, close, faults } = await visit([reeds()], viewport);
    await page.locator('#room').focus();
    await tabTo(page, 'Reeds at dusk');
    await page.keyboard.press('Enter');
    const look = page.getByRole('dialog', { name: 'Reeds at dusk' });
    await look.waitFor();
    const text = look.getByText('A pale sky behind them.');
    expect(await text.isVisible()).toBe(false);
    await tabTo(page, 'Description');
    await page.keyboard.press('Enter');
    await text.waitFor();
    const details = await look.getByRole('img', { name: 'Reeds at dusk' }).getAttribute('aria-details');
    expect(await look.locator(`[id="${details}"]`).textContent()).toContain('Dark reeds.');
    expect(await accessibilityFaults(page)).toEqual([]);
    if (shots) await page.screenshot({ path: `${shots}/closer-description-${viewport.width}.png` });
    expect(faults).toEqual([]);
    await close();
  });

  test('of other elements open from a button beside them, and from the list of all at the place', async () => {
    const link = { navigation: { type: 'event', type_config: { name: 'pressed reeds' } } };
    const place = { id: 0 };
    const elements: Written[] = [
      reeds(link),
      { ...talk, file_id: film } as Written,
      reeds({ title: 'Ornament', decorative: true }),
      { element: 'view_point', name: 'Far', config: { name: 'Far', long_description: 'Only from afar.' } },
    ];
    const { page, close, faults } = await visit(elements);
    place.id = await idOf(page, 'Reeds');
    const beside = page.locator(`[data-details-of="${place.id}"]`);
    expect(await beside.textContent()).toBe('Description: Reeds at dusk');
    const pressed = page.locator(`button[data-element-id="${place.id}"]`);
    expect(await pressed.getAttribute('aria-details')).toBe(await beside.getAttribute('id'));
    await page.locator('#room').focus();
    await tabTo(page, 'Description: Reeds at dusk');
    await page.keyboard.press('Enter');
    const one = page.getByRole('dialog', { name: 'Description: Reeds at dusk' });
    await one.getByText('A pale sky behind them.').waitFor();
    // The element itself wasn't pressed.
    expect(await page.evaluate(() => JSON.stringify(window.dataLayer ?? []))).not.toContain('pressed reeds');
    await page.keyboard.press('Escape');
    await one.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Descriptions and transcripts' }).click();
    const all = page.getByRole('dialog', { name: 'Descriptions and transcripts' });
    const names = all.locator('summary');
    expect(await names.allTextContents()).toEqual(['Reeds at dusk', 'Morning']);
    await names.last().click();
    await all.getByText('Then the bells.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    if (shots) await page.screenshot({ path: `${shots}/texts-dialog.png` });
    expect(faults).toEqual([]);
    await close();
  });
});

/** State of a video's audio description, and its distance from the video in seconds. */
const described = (page: Page, id: number) =>
  page.evaluate((wanted) => {
    const audio = document.querySelector<HTMLAudioElement>(`audio[data-describes="${wanted}"]`);
    const video = document.querySelector<HTMLVideoElement>(`video[data-media="${wanted}"]`)!;
    return (
      audio && {
        paused: audio.paused,
        rate: audio.playbackRate,
        apart: Math.abs(audio.currentTime - video.currentTime),
      }
    );
  }, id);
const CLOSE = 0.5;

test('an audio description plays in step with its video, and stays chosen for the visit', async () => {
  const config = { controls: true, loop: true, audio_description: narration, transcript: 'Birds.' };
  const { page, close, faults } = await visit([{ ...talk, file_id: film, position_x: 0, config } as Written]);
  const id = await idOf(page, 'Morning');
  await send(page, { type: 'play', element_id: id });
  await mediaBecomes(page, id, { paused: false, past: 0.3 });
  expect(await described(page, id)).toBeNull();
  const toggle = page.getByRole('button', { name: 'Audio description' });
  expect(await toggle.getAttribute('aria-pressed')).toBe('false');
  await toggle.click();
  expect(await toggle.getAttribute('aria-pressed')).toBe('true');
  const plays = async () => {
    const now = await described(page, id);
    return now !== null && !now.paused && now.apart < CLOSE;
  };
  await expect.poll(plays).toBe(true);
  await send(page, { type: 'seek', element_id: id, at: 4 });
  await mediaBecomes(page, id, { past: 3.9 });
  await expect.poll(plays).toBe(true);
  // Drift is corrected.
  await page.evaluate((wanted) => {
    document.querySelector<HTMLAudioElement>(`audio[data-describes="${wanted}"]`)!.currentTime = 20;
  }, id);
  await expect.poll(plays).toBe(true);
  await page.evaluate((wanted) => {
    document.querySelector<HTMLVideoElement>(`video[data-media="${wanted}"]`)!.playbackRate = 1.5;
  }, id);
  await expect.poll(async () => (await described(page, id))?.rate).toBe(1.5);
  await send(page, { type: 'pause', element_id: id });
  await expect.poll(async () => (await described(page, id))?.paused).toBe(true);
  await send(page, { type: 'play', element_id: id });
  await expect.poll(plays).toBe(true);
  expect(await accessibilityFaults(page)).toEqual([]);
  if (shots) await page.screenshot({ path: `${shots}/audio-description.png` });
  await toggle.click();
  await expect.poll(async () => (await described(page, id))?.paused).toBe(true);
  expect(await page.evaluate(() => window.enfilade!.state.audioDescription)).toBe(false);
  expect(faults).toEqual([]);
  await close();
});

test.each([1000, 390])('a text page with all of them has no faults of accessibility: %i pixels wide', async (width) => {
  const config = { audio_description: narration, transcript: 'Birds.\nBells.', text_tracks: [] };
  const path = await publishTree(suite.app, plainRoom, [reeds(), { ...talk, file_id: film, config } as Written]);
  const { page, close } = await newVisitor(suite.browser, { viewport: { width, height: 800 }, deviceScaleFactor: 1 });
  await page.goto(`${suite.app.origin}${path}?text`);
  await page.getByText('Description: Reeds at dusk').click();
  await page.getByText('A pale sky behind them.').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  if (shots) await page.screenshot({ path: `${shots}/text-page-${width}.png`, fullPage: true });
  await page.emulateMedia({ media: 'print' });
  // Closed details are printed, too.
  await page.getByText('Bells.').waitFor();
  if (shots) await page.screenshot({ path: `${shots}/text-page-print-${width}.png`, fullPage: true });
  await page.emulateMedia({ media: null });
  await close();
});
