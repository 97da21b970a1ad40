import type { Page } from 'playwright';
import { beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFaults } from '../harness/admin-page.ts';
import { webSuite } from '../harness/web-suite.ts';
import { idOf, nextFrames, plainRoom, publishTree, send, type Written } from './elements/play.ts';
import { FILMS, watchedGuest } from './elements/watched-guest.ts';

const web = webSuite({ demo: true });
const DEMO = ['/lake', '/lake/night', '/lake/cinema', '/lake/hours', '/gallery', '/observatory', '/workshop'];

const ELEMENTS: Written[] = [
  ...FILMS,
  {
    element: 'iframe',
    name: 'Page',
    position_y: 160,
    width: 280,
    height: 140,
    config: { src: 'https://page.example/a' },
  },
  {
    element: 'native_video',
    name: 'Film',
    position_y: -160,
    config: { direct_url: 'https://film.example/a.mp4', autoplay: true },
  },
  {
    element: 'native_video',
    config: { direct_url: 'https://film.example/a.m3u8', thumb: 'https://i.ytimg.com/a.jpg' },
  },
  { element: 'audio', config: { file_url: 'https://sound.example/a.mp3', autoplay: true } },
  {
    element: 'image',
    name: 'Picture',
    position_z: -100,
    config: { file_url: 'https://image.example/a.png', zoomable: true },
  },
  { element: 'model', config: { file_url: 'https://model.example/a.glb' } },
  { element: 'live_stream', config: { type: 'youtube_live', id: 'live' } },
  { element: 'live_stream', config: { type: 'wowza_live', src: 'https://stream.example/a.m3u8' } },
  { element: 'html', config: { body: '<p>Hello <img src="https://html.example/a.png"></p>' } },
  { element: 'text', name: 'Words', config: { text: 'Words', file_url: 'https://font.example/a.ttf' } },
  { element: 'motion', config: { src: 'https://motion.example/a.bvh' } },
  {
    element: 'group',
    config: { slider_enabled: true },
    children: [{ element: 'image', config: { file_url: 'https://slide.example/a.png' } }],
  },
];
const ROOM = {
  ...plainRoom,
  description: '<p>Welcome <img src="https://popup.example/a.png"></p>',
  config: { ...plainRoom.config, duration: 600, show_start_popup: true },
};

let path: string;
let tube: string;
let other: string;

const ask = (third_parties: 'ask' | 'specified', tag_manager_id = '') =>
  web.app.client.organizations.update({ body: { third_parties, tag_manager_id } });

beforeAll(async () => {
  path = await publishTree(web.app, ROOM, ELEMENTS);
  tube = await publishTree(web.app, { ...plainRoom, config: { ...plainRoom.config, duration: 600 } }, FILMS);
  other = await publishTree(web.app, plainRoom, [{ element: 'iframe', config: { src: 'https://page.example/b' } }]);
  await ask('ask');
});

const watched = () => watchedGuest(web.app, web.browser);

/** Demo rooms are large: they take longer than other things that tests wait for. */
const isReady = (page: Page) => page.locator('#room[data-state="ready"]').waitFor({ timeout: 40_000 });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
/** Opens a room with third parties, and answers at the entrance. */
async function enter(page: Page, at: string, answer: 'Allow' | 'Continue without'): Promise<void> {
  await page.goto(web.app.origin + at);
  await button(page, answer).click();
  await isReady(page);
  await page.locator('#entrance').waitFor({ state: 'hidden' });
}

describe('where visitors are asked', () => {
  test('the demo’s rooms request nothing of other hosts, in pages and in frames', async () => {
    for (const front of ['', '/embed']) {
      const guest = await watched();
      for (const each of DEMO) {
        await guest.page.goto(`${web.app.origin}${front}${each}`);
        await guest.page.locator('#entrance.is-ready').press('Enter');
        await isReady(guest.page);
      }
      expect(guest.hosts()).toEqual([]);
      await guest.context.close();
    }
  }, 300_000);

  test('a room of everything requests nothing of other hosts before a press, not even after entering', async () => {
    const guest = await watched();
    const { page } = guest;
    await page.goto(web.app.origin + path);
    await page.locator('#consent').waitFor();
    const names = await page.locator('#consent li').allTextContents();
    for (const name of [
      'YouTube (videos)',
      'Vimeo (videos)',
      'page.example (pages)',
      'image.example (images and files)',
    ])
      expect(
        names.some((each) => each.startsWith(name.slice(0, -1))),
        name,
      ).toBe(true);
    // As long as the visitor is at the entrance, the room with the heading is inert.
    const faults = await accessibilityFaults(page);
    expect(faults.filter((fault) => !/^(?:landmark-one-main|page-has-heading-one)/.test(fault))).toEqual([]);
    await isReady(page);
    await button(page, 'Continue without').click();
    await page.locator('#entrance').waitFor({ state: 'hidden' });
    await page.locator('dialog .consent-placeholder').waitFor();
    await page.getByRole('button', { name: 'OK' }).click();
    await page.locator('#room .consent-placeholder button').first().waitFor();
    await page.evaluate(() => window.enfilade!.stage!.rig.moveTo({ x: 0, y: 0, z: 200 }, undefined, undefined, false));
    await nextFrames(page, 60);
    expect(guest.hosts()).toEqual([]);
    expect(guest.faults.filter((fault) => !fault.includes('missing'))).toEqual([]);
    await guest.context.close();
  });

  test('a press on a placeholder loads that host’s content, and withdrawing unloads it at once', async () => {
    const guest = await watched();
    const { page } = guest;
    await enter(page, tube, 'Continue without');
    const load = button(page, 'Load content from youtube.com');
    const box = await load.boundingBox();
    expect(Math.min(box!.width, box!.height)).toBeGreaterThanOrEqual(24);
    // The canvas above the panel lets the pointer through once it is there.
    const [x, y] = [box!.x + box!.width / 2, box!.y + box!.height / 2];
    await page.mouse.move(x, y);
    await expect
      .poll(() => page.evaluate(([x, y]) => document.elementFromPoint(x!, y!)?.tagName, [x, y]))
      .toBe('BUTTON');
    await page.mouse.click(x, y);
    await page.locator('iframe[title="Tube"][src]').waitFor();
    await expect.poll(() => guest.hosts()).toEqual(['www.youtube-nocookie.com']);
    // For this visit, in the next room and after reloading, and by keyboard for the other one.
    await page.reload();
    await page.locator('#entrance.is-ready').press('Enter');
    await page.locator('iframe[title="Tube"][src]').waitFor();
    await button(page, 'Load content from vimeo.com').press('Enter');
    await page.locator('iframe[title="Meo"][src]').waitFor();
    await button(page, 'More').click();
    await button(page, 'Third-party content').click();
    const choice = page.getByRole('checkbox', { name: 'YouTube (videos)' });
    expect(await choice.isChecked()).toBe(true);
    expect(await accessibilityFaults(page)).toEqual([]);
    await choice.uncheck();
    await page.locator('iframe[title="Tube"]').waitFor({ state: 'detached' });
    expect(await page.locator('iframe[title="Meo"][src]').count()).toBe(1);
    await page.keyboard.press('Escape');
    await load.waitFor();
    expect(page.frames().some((frame) => frame.url().includes('youtube'))).toBe(false);
    await guest.context.close();
  });

  test('allowing at the entrance enters, starts timed media in step with the room, and is remembered', async () => {
    const guest = await watched();
    const { page } = guest;
    const said: string[] = [];
    page.on('console', (message) => message.text().startsWith('player:') && said.push(message.text()));
    await page.goto(web.app.origin + tube);
    await isReady(page);
    await nextFrames(page, 60);
    expect(guest.hosts()).toEqual([]);
    await page.keyboard.press('Enter');
    expect(guest.hosts()).toEqual([]);
    await button(page, 'Allow').press('Enter');
    await page.locator('#entrance').waitFor({ state: 'hidden' });
    await expect.poll(() => said.some((text) => text.includes('playVideo'))).toBe(true);
    const id = await idOf(page, 'Tube');
    const { status, at, now } = await page.evaluate((element) => {
      const { scene } = window.enfilade!.stage!;
      const media = scene.media(scene.entityOf(element)!)!;
      return { status: media.status, at: media.at, now: scene.state().time };
    }, id);
    expect(status).toBe('playing');
    expect(Math.abs(now - at)).toBeLessThan(2);
    await page.reload();
    await page.locator('#entrance.is-ready').press('Enter');
    await page.locator('iframe[title="Tube"][src]').waitFor();
    expect(await page.locator('#consent').count()).toBe(0);
    // Another room has another third party: a notice beside the room asks about that one.
    await page.evaluate((next) => window.enfilade!.goTo(next), other);
    await page.locator('#consent:not(.is-entrance)').waitFor();
    expect(await page.locator('#consent li').allTextContents()).toEqual(['page.example (pages)']);
    expect(guest.hosts()).not.toContain('page.example');
    await button(page, 'Allow').click();
    await expect.poll(() => guest.hosts()).toContain('page.example');
    await guest.context.close();
  });

  test('the plan of a tour waits in its panel, and a press loads it there', async () => {
    const config = { appearance: 'plan' as const, file_url: 'https://image.example/plan.png' };
    const tour = await publishTree(web.app, plainRoom, [{ element: 'image', name: 'Ground floor', config }]);
    const guest = await watched();
    const { page } = guest;
    await enter(page, tour, 'Continue without');
    expect(await page.locator('#room .consent-placeholder').count()).toBe(0);
    await page.keyboard.press('p');
    const load = page.locator('#overlay').getByRole('button', { name: 'Load content from image.example' });
    await load.waitFor();
    expect(guest.hosts()).toEqual([]);
    await load.press('Enter');
    await expect.poll(() => guest.hosts()).toEqual(['image.example']);
    expect(await page.evaluate(() => document.activeElement!.ariaLabel)).toBe('Plan');
    await guest.context.close();
  });

  test('items of feeds count, and what was allowed can be withdrawn in every room', async () => {
    const feed = await publishTree(web.app, plainRoom, [
      { element: 'group', name: 'Feed', config: { feed_enabled: true, feed_layout: 'fixed' } },
    ]);
    const guest = await watched();
    const { page } = guest;
    await page.goto(web.app.origin + feed);
    await page.locator('#entrance.is-ready').press('Enter');
    await isReady(page);
    const items = [{ file_url: 'https://image.example/item.png', title: 'Item' }];
    await send(page, { type: 'feed', element_id: await idOf(page, 'Feed'), items });
    await button(page, 'Load content from image.example').press('Enter');
    await expect.poll(() => guest.hosts()).toEqual(['image.example']);
    expect(await page.evaluate(() => document.activeElement!.id)).toBe('room');
    await page.evaluate((next) => window.enfilade!.goTo(next), other);
    // A notice beside the room is announced, and gives the focus back to the room.
    await page.locator('#consent [role="status"]:not(:empty)').waitFor();
    await button(page, 'Continue without').press('Enter');
    expect(await page.evaluate(() => document.activeElement!.id)).toBe('room');
    await button(page, 'More').click();
    await button(page, 'Third-party content').click();
    const choice = page.getByRole('checkbox', { name: 'image.example' });
    expect(await choice.isChecked()).toBe(true);
    await choice.uncheck();
    expect(await page.evaluate(() => window.enfilade!.state.consent!.isAllowed('image.example'))).toBe(false);
    await guest.context.close();
  });

  test('when access ends at the entrance, the notice makes way', async () => {
    const guest = await watched();
    const { page } = guest;
    await page.goto(web.app.origin + tube);
    await page.locator('#consent.is-entrance').waitFor();
    await page.evaluate(() => window.enfilade!.endAccess());
    await page.locator('#consent').waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.getElementById('entrance')!.inert)).toBe(false);
    await guest.context.close();
  });

  test('shows an error if its code fails to load, and requests nothing', async () => {
    const guest = await watched();
    const { page } = guest;
    await guest.context.route(/\/assets\/consent-[^/]+\.js/, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: 'throw new Error("Broken");' }),
    );
    await page.goto(web.app.origin + tube);
    await page.locator('#refused').waitFor();
    expect(guest.hosts()).toEqual([]);
    await guest.context.close();
  });

  test('as text, the room links content of other hosts', async () => {
    const guest = await watched();
    await guest.page.goto(`${web.app.origin}${path}?text`);
    await guest.page.waitForLoadState('networkidle');
    expect(guest.hosts()).toEqual([]);
    expect(await guest.page.locator('a[href="https://image.example/a.png"]').count()).toBe(1);
    await guest.context.close();
  });
});

describe('the tag manager', () => {
  test('is loaded and reads dataLayer where it is set, and nothing else of the policy changes', async () => {
    await ask('specified');
    const policyOf = async () => (await fetch(web.app.origin + tube)).headers.get('content-security-policy')!;
    const before = await policyOf();
    expect(before).not.toContain('googletagmanager');
    await ask('specified', 'GTM-ABC1234');
    const after = await policyOf();
    expect(after.replace(' https://www.googletagmanager.com', '')).toBe(before.replace(/^.*trusted-types [^;]+; /, ''));
    const guest = await watched();
    await guest.page.goto(web.app.origin + other);
    await guest.page.locator('#entrance.is-ready').press('Enter');
    await expect
      .poll(() => guest.page.evaluate(() => (window as unknown as { read?: string[] }).read))
      .toContain('room_loaded');
    // Scripts that it inserts run, too.
    await guest.page.waitForFunction(() => 'isComplete' in window);
    expect(guest.faults).toEqual([]);
    await guest.context.close();
  });

  test('waits for consent where visitors are asked, and a withdrawal ends it', async () => {
    await ask('ask', 'GTM-ABC1234');
    const guest = await watched();
    const { page } = guest;
    await enter(page, other, 'Continue without');
    await nextFrames(page, 60);
    expect(guest.hosts()).toEqual([]);
    await button(page, 'More').click();
    await button(page, 'Third-party content').click();
    const choice = page.getByRole('checkbox', { name: 'Google Tag Manager (measurement)' });
    await choice.check();
    await expect.poll(() => guest.hosts()).toEqual(['www.googletagmanager.com']);
    const reloaded = page.waitForEvent('load');
    await choice.press('Space');
    await reloaded;
    expect(await page.evaluate(() => 'read' in window)).toBe(false);
    await guest.context.close();
    await ask('ask');
  });
});
