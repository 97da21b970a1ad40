import type { Page } from 'playwright';
import { beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFaults } from '../harness/admin-page.ts';
import { enterRoom, newVisitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';
import { idOf, mediaBecomes, mediaOf, plainRoom, publishTree, send, type Written } from './elements/play.ts';

const suite = webSuite();
let film: { id: number };
let sound: { id: number };
const links: Record<string, string> = {};

beforeAll(async () => {
  film = await suite.app.upload('fixtures/media/morning-film.webm');
  sound = await suite.app.upload('fixtures/media/night-water.mp3');
  const lines = { en: 'Before the village wakes', ar: 'قبل أن تستيقظ القرية' };
  for (const [language, line] of Object.entries(lines)) {
    const file = new File([`WEBVTT\n\n00:01.000 --> 00:04.500\n${line}\n`], `film.${language}.vtt`);
    links[language] = (await suite.app.client.media.upload({ body: {}, files: { file } })).url;
  }
});

const turning = {
  ...plainRoom,
  config: { ...plainRoom.config, camera: { ...plainRoom.config!.camera, rotate: true } },
};

/** A film with subtitles that opens over the page, in a room with a joystick. */
const filmed = (config: object = {}): Written =>
  ({
    element: 'native_video',
    name: 'Film',
    file_id: film.id,
    width: 320,
    config: {
      fullscreen: true,
      controls: true,
      loop: true,
      text_tracks: ['en', 'ar'].map((language) => ({ language, link: links[language], type: 'subtitles' })),
      ...config,
    },
  }) as Written;

const overPage = (page: Page) => page.locator('[data-media][data-fullpage]');
/** Has every track of a film say something from now on. */
const speak = async (page: Page, lines: Record<string, string>) => {
  // A track that is switched on is read now, which takes away all lines that it had.
  await page.waitForFunction(() =>
    [...document.querySelectorAll('track')].every(
      ({ track, readyState }) => track.mode === 'disabled' || readyState === HTMLTrackElement.LOADED,
    ),
  );
  await page.evaluate((said) => {
    for (const track of document.querySelector('video')!.textTracks)
      track.addCue(new VTTCue(0, 1000, said[track.language] ?? ''));
  }, lines);
};
const boxes = (page: Page, selector: string) =>
  page
    .locator(selector)
    .evaluateAll((all) =>
      all
        .filter((each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
        .map((each) => each.getBoundingClientRect().toJSON() as DOMRect),
    );
const overlap = (a: DOMRect, b: DOMRect) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

describe('a film over the whole page', () => {
  test('has nothing over it but the way out and its subtitles, which stay off its seek bar; closing silences it', async () => {
    const { page, close, faults } = await newVisitor(suite.browser, { viewport: { width: 640, height: 400 } });
    await enterRoom(page, suite.app.origin + (await publishTree(suite.app, turning, [filmed()])));
    const id = await idOf(page, 'Film');
    await send(page, { type: 'select', element_id: id });
    await overPage(page).waitFor();
    await mediaBecomes(page, id, { paused: false });
    const cross = page.getByRole('button', { name: 'Close video' });
    await expect.poll(() => cross.evaluate((each) => each === document.activeElement)).toBe(true);
    const names = await page
      .locator('#overlay')
      .getByRole('button')
      .evaluateAll((all) => all.map((each) => each.ariaLabel));
    expect(names).toEqual(['Subtitles', 'Close video']);
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(0);
    expect(await page.getByRole('slider').count()).toBe(0);

    await page.getByRole('button', { name: 'Subtitles' }).press('Enter');
    await page.getByRole('button', { name: 'English' }).click();
    await speak(page, { en: 'Said over the page' });
    const said = page.getByText('Said over the page');
    await said.waitFor();
    // The browser's seek bar takes the lowest 72 pixels.
    expect((await said.boundingBox())!.y + (await said.boundingBox())!.height).toBeLessThan(400 - 72);
    expect(await accessibilityFaults(page)).toEqual([]);
    // Esc closes one thing at a time.
    await page.keyboard.press('Escape');
    expect(await overPage(page).count()).toBe(1);
    await cross.press('Enter');
    await overPage(page).waitFor({ state: 'detached' });
    await mediaBecomes(page, id, { paused: true });
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  test('plays no more when the browser leaves full screen', async () => {
    const { page, close } = await newVisitor(suite.browser);
    await enterRoom(page, suite.app.origin + (await publishTree(suite.app, turning, [filmed()])));
    const id = await idOf(page, 'Film');
    await send(page, { type: 'select', element_id: id });
    await mediaBecomes(page, id, { paused: false });
    await send(page, { type: 'leave_fullscreen' });
    await mediaBecomes(page, id, { paused: true });
    await close();
  });
});

describe('subtitles', () => {
  test('without a default are switched on, each line runs as its writing does, and none covers a control', async () => {
    const { page, close } = await newVisitor(suite.browser, { viewport: { width: 640, height: 400 } });
    await enterRoom(page, suite.app.origin + (await publishTree(suite.app, turning, [filmed({ autoplay: true })])));
    const id = await idOf(page, 'Film');
    await mediaBecomes(page, id, { paused: false });
    await page.getByRole('button', { name: 'Subtitles' }).click();
    expect(await page.getByRole('button', { name: 'Off' }).getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('button', { name: 'العربية' }).click();
    const long = 'one of those rooms whose sentence goes on and on so that a line of it would reach from wall to wall';
    await speak(page, { ar: `مرحبا بالعالم!\n${long}` });
    const arabic = page.getByText('مرحبا بالعالم!');
    await arabic.waitFor();
    // The film's own line may stand there as well.
    const spoken = page.locator('[data-size] > span').filter({ hasText: /مرحبا|one of those/ });
    const directions = () => spoken.evaluateAll((all) => all.map((each) => getComputedStyle(each).direction));
    expect(await directions()).toEqual(['rtl', 'ltr']);
    const sizeOf = () => arabic.evaluate((each) => Number.parseFloat(getComputedStyle(each).fontSize));
    const medium = await sizeOf();
    await page.getByRole('button', { name: 'Large' }).click();
    await expect.poll(sizeOf).toBeGreaterThan(medium);
    await page.keyboard.press('Escape');
    // What is said stays as long as the film stands still.
    await send(page, { type: 'pause', element_id: id });
    for (const [width, height] of [
      [390, 844],
      [844, 390],
      [1200, 700],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.keyboard.press('Shift');
      const [cues] = await boxes(page, '[data-size]');
      const controls = await boxes(page, '#overlay nav, #overlay nav button, #overlay header, #overlay input');
      expect(controls.length).toBeGreaterThan(3);
      expect(controls.filter((each) => overlap(cues!, each))).toEqual([]);
      expect([cues!.left >= 0, cues!.right <= width]).toEqual([true, true]);
    }
    await page.getByRole('button', { name: 'Subtitles' }).click();
    await page.getByRole('button', { name: 'Off' }).click();
    await arabic.waitFor({ state: 'detached' });
    await close();
  });

  test('stay as they were chosen in the next room', async () => {
    const next = await publishTree(suite.app, turning, [filmed({ autoplay: true, default_text_track: 'en' })]);
    const here = await publishTree(suite.app, turning, [filmed({ autoplay: true, default_text_track: 'en' })]);
    const { page, close } = await newVisitor(suite.browser, { viewport: { width: 640, height: 400 } });
    await enterRoom(page, suite.app.origin + here);
    await page.getByRole('button', { name: 'Subtitles' }).click();
    expect(await page.getByRole('button', { name: 'English' }).getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('button', { name: 'العربية' }).click();
    await page.evaluate((path) => {
      document.getElementById('room')!.dataset.state = 'left';
      window.enfilade!.follow({ type: 'space', type_config: { endpoint: null, endpoint_url: path } });
    }, next);
    await page.locator('#room[data-state="ready"]').waitFor();
    const modes = () =>
      page.evaluate(() =>
        [...document.querySelector('video')!.textTracks].map(({ language, mode }) => [language, mode]),
      );
    await expect.poll(modes).toEqual([
      ['en', 'disabled'],
      ['ar', 'hidden'],
    ]);
    await close();
  });
});

describe('volume', () => {
  test('is set by a slider beside mute, by keyboard as well, for all that plays now and in the next room', async () => {
    const song = (name: string): Written => ({
      element: 'audio',
      name,
      file_id: sound.id,
      config: { autoplay: true, loop: true },
    });
    const next = await publishTree(suite.app, turning, [song('Other')]);
    const { page, close } = await newVisitor(suite.browser, { viewport: { width: 640, height: 400 } });
    await enterRoom(page, suite.app.origin + (await publishTree(suite.app, turning, [song('Song')])));
    const id = await idOf(page, 'Song');
    await mediaBecomes(page, id, { paused: false });
    const slider = page.getByRole('slider', { name: 'Volume' });
    await slider.focus();
    for (let i = 0; i < 12; i++) await page.keyboard.press('ArrowLeft');
    await expect.poll(async () => (await mediaOf(page, id)).volume).toBeCloseTo(0.4);
    await send(page, { type: 'volume', element_id: id, volume: 50 });
    await expect.poll(async () => (await mediaOf(page, id)).volume).toBeCloseTo(0.2);
    // Turning it up is the wish to hear something.
    await page.getByRole('button', { name: 'Mute', exact: true }).click();
    await mediaBecomes(page, id, { muted: true });
    await slider.press('ArrowRight');
    await mediaBecomes(page, id, { muted: false });
    await page.evaluate((path) => {
      document.getElementById('room')!.dataset.state = 'left';
      window.enfilade!.follow({ type: 'space', type_config: { endpoint: null, endpoint_url: path } });
    }, next);
    await page.locator('#room[data-state="ready"]').waitFor();
    const other = await page.evaluate(() => window.enfilade!.stage!.scene.room.elements[0]!.id);
    await expect.poll(async () => (await mediaOf(page, other)).volume).toBeCloseTo(0.45);
    await close();
  });
});
