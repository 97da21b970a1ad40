import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import type { SceneEvent } from '../../engine/scene/scene.ts';
import { enterRoom, newVisitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';
import { publishTree, type Written } from './elements/play.ts';

const suite = webSuite();

const event = (name: string) => ({ type: 'event', type_config: { name } }) as const;
const PICTURE = 'fixtures/media/pictures/reeds-at-dusk.jpg';

/** What Tab reaches of a room, in order, and what is called on. */
const reached = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document;
    const holder = activeElement?.closest<HTMLElement>('#room [data-element-id]');
    return holder ? (activeElement?.getAttribute('title') ?? activeElement?.textContent ?? '') : null;
  });

/** Presses Tab until the room is left again. */
async function tabThrough(page: Page): Promise<string[]> {
  await page.locator('#room').focus();
  const names: string[] = [];
  for (;;) {
    await page.keyboard.press('Tab');
    const name = await reached(page);
    if (name === null) return names;
    names.push(name);
  }
}

const pressed = (page: Page) =>
  page.evaluate(() => (window.dataLayer ?? []).map((entry) => String(entry.event)).filter((name) => /^to /.test(name)));

/** How far a point of the room is from the middle of what is seen, in radians. */
const away = (page: Page, point: { x: number; y: number; z: number }) =>
  page.evaluate(({ x, y, z }) => {
    const { position: p, quaternion: q } = window.enfilade!.stage!.pose;
    const ahead = [-2 * (q.x * q.z + q.w * q.y), -2 * (q.y * q.z - q.w * q.x), -(1 - 2 * (q.x * q.x + q.y * q.y))];
    const to = [x - p.x, y - p.y, z - p.z];
    const cosine = ahead.reduce((sum, part, at) => sum + part * to[at]!, 0) / Math.hypot(...to);
    return Math.acos(Math.min(1, cosine));
  }, point);

/** One of everything that can be pressed, on all sides of the visitor. */
async function publishThings(options: { rotate?: boolean; hotspot_style?: 'off' } = {}): Promise<string> {
  const { rotate = true, hotspot_style } = options;
  const file = await suite.app.upload(PICTURE);
  const template = await suite.app.client.templates.create({
    body: { name: 'Things', ...(hotspot_style && { hotspot_style }) },
  });
  const things: Written[] = [
    {
      element: 'image',
      name: 'behind',
      file_id: file.id,
      position_z: 700,
      rotation_y: Math.PI,
      config: { title: 'Reeds', navigation: event('to reeds') },
    },
    {
      element: 'button',
      name: 'left',
      position_x: -700,
      rotation_y: 1.5,
      config: { title: 'Door', navigation: event('to door') },
    },
    {
      element: 'image',
      name: 'Only a picture',
      file_id: file.id,
      position_z: -900,
      position_y: 300,
      config: { zoomable: false, alt: 'A boat among reeds', author: 'Ann', date: '1901', text: 'Oil on canvas.' },
    },
    {
      element: 'image',
      name: 'Ornament',
      file_id: file.id,
      position_z: -900,
      position_y: -300,
      config: { decorative: true },
    },
    {
      element: 'text',
      position_x: 700,
      rotation_y: -1.5,
      config: { text: 'Onwards', navigation: event('to onwards') },
    },
    {
      element: 'html',
      position_z: -700,
      position_x: 400,
      config: { body: '<p>A <a href="#x">linked</a> word</p>', navigation: event('to words') },
    },
    {
      element: 'text',
      start_time: '00:00',
      end_time: '00:00',
      utc_offset: 0,
      config: { text: 'Nobody sees this', navigation: event('to nothing') },
    },
    {
      element: 'image',
      file_id: file.id,
      position_z: -700,
      position_x: -300,
      config: { navigation: event('to unnamed') },
    },
    { element: 'view_point', name: 'Over there', position_x: 300, position_y: -200, config: { pulse_radius: 80 } },
  ] as Written[];
  return publishTree(
    suite.app,
    {
      template_id: template.id,
      config: { camera: { rotate, rotate_left_button: rotate, fov: 60 } },
    },
    things,
  );
}

describe('a visitor with a keyboard', () => {
  test('reaches everything that can be pressed, once, by name, in the order of the document, and nothing that is hidden', async () => {
    const { page, close } = await newVisitor(suite.browser);
    await page.goto(suite.app.origin + (await publishThings()));
    await page.locator('#entrance.is-ready').waitFor();
    await page.locator('#room[data-state="ready"]').waitFor();
    // Behind the entrance there is nothing to be reached.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    expect(await reached(page)).toBeNull();
    await page.locator('#entrance').press('Enter');
    await page.locator('#entrance').waitFor({ state: 'hidden' });
    const expected = ['Reeds', 'Door', 'Onwards', 'A linked word', 'linked', 'Image', 'Over there'];
    await expect.poll(() => tabThrough(page)).toEqual(expected);
    const snapshot = await page.locator('#room').ariaSnapshot();
    const named = [...snapshot.matchAll(/(?:button|link) "([^"]+)"/g)].map(([, name]) => name);
    expect(named).toEqual(expected);
    expect(snapshot).toContain('img "A boat among reeds"');
    expect(snapshot).toContain('Ann, 1901. Oil on canvas.');
    expect(snapshot).not.toContain('Ornament');
    await close();
  });

  test.each([
    ['turns the camera to what has the focus', true],
    ['goes to where it is ahead, in a room that nobody looks around in', false],
  ])('%s, sees a ring and its name there, and presses it', async (_, rotate) => {
    const { page, close } = await newVisitor(suite.browser, { reducedMotion: 'reduce' });
    await enterRoom(page, suite.app.origin + (await publishThings({ rotate })));
    const ring = page.locator('.stage-ring');
    const reeds = page.getByRole('button', { name: 'Reeds' });
    await reeds.focus();
    // Who asked for less motion is there at once.
    if (rotate) await expect.poll(() => away(page, { x: 0, y: 0, z: 700 })).toBeLessThan(0.2);
    const onwards = page.getByRole('button', { name: 'Onwards' });
    await onwards.focus();
    if (rotate) await expect.poll(() => away(page, { x: 700, y: 0, z: 0 })).toBeLessThan(0.2);
    await ring.waitFor();
    await expect.poll(() => page.locator('.stage-label').textContent()).toBe('Onwards');
    const [place, size] = [await ring.boundingBox(), page.viewportSize()!];
    expect(place!.x).toBeLessThan(size.width);
    expect(place!.x + place!.width).toBeGreaterThan(0);
    await page.keyboard.press('Enter');
    await expect.poll(() => pressed(page)).toEqual(['to onwards']);
    await page.getByRole('button', { name: 'Door' }).press('Enter');
    await expect.poll(() => pressed(page)).toEqual(['to onwards', 'to door']);
    await page.getByRole('button', { name: 'Over there' }).press('Enter');
    await expect.poll(() => page.evaluate(() => Math.round(window.enfilade!.stage!.pose.position.x))).toBe(300);
    // The page stays where it is, whatever has the focus.
    expect(
      await page.evaluate(
        () =>
          [...document.querySelectorAll('#room, #room *')].filter((part) => part.scrollLeft || part.scrollTop).length,
      ),
    ).toBe(0);
    await close();
  });

  test('loses what goes out of sight from the order, and keeps a place in the room', async () => {
    const { page, close } = await newVisitor(suite.browser);
    const goes = { element: 'text', config: { text: 'Going', navigation: event('to going') } } as const;
    const stays = {
      element: 'text',
      position_y: 200,
      config: { text: 'Staying', navigation: event('to stay') },
    } as const;
    const path = await publishTree(suite.app, {}, [
      { ...goes, start_time: '00:00', end_time: '12:00', utc_offset: 0 },
      stays,
    ]);
    await enterRoom(page, suite.app.origin + path);
    await page.evaluate(() => window.enfilade!.moveTime(6 * 3600));
    await page.getByRole('button', { name: 'Going' }).focus();
    await page.evaluate(() => window.enfilade!.moveTime(18 * 3600));
    await page.getByRole('button', { name: 'Going' }).waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('room');
    expect(await tabThrough(page)).toEqual(['Staying']);
    await close();
  });

  test('reaches a page that scrolls once, also when it was drawn again', async () => {
    const { page, close } = await newVisitor(suite.browser);
    const body = '<p>Long</p>'.repeat(40);
    const config = { body, navigation: event('to long') };
    const path = await publishTree(suite.app, {}, [{ element: 'html', width: 200, height: 100, config }]);
    await enterRoom(page, suite.app.origin + path);
    const stop = () => page.locator('.stage-panel').getAttribute('tabindex');
    await expect.poll(stop).toBe('-1');
    expect(await page.locator('.stage-panel').evaluate((panel) => getComputedStyle(panel).overflowY)).toBe('auto');
    const drawn = await page.locator('.stage-panel').elementHandle();
    await page.evaluate(() => {
      const { stage } = window.enfilade!;
      const { scene } = stage!;
      const { tick } = scene;
      // The next tick tells of it, as one after an edit does.
      scene.tick = (input) => {
        scene.tick = tick;
        tick(input);
        (scene.events as SceneEvent[]).push({ type: 'element.added', element_id: scene.room.elements[0]!.id });
      };
      stage!.invalidate();
    });
    await expect.poll(() => drawn!.evaluate((panel) => panel.isConnected)).toBe(false);
    await expect.poll(stop).toBe('-1');
    await close();
  });

  test('looks up and down, and closer where the room allows it', async () => {
    const { page, close } = await newVisitor(suite.browser, { reducedMotion: 'reduce' });
    const file = await suite.app.upload('fixtures/media/panorama.jpg');
    const body = { name: 'Pano', model_type: 'pano', file_id: file.id } as const;
    const made = await suite.app.client.templates.create({ body });
    expect(made.config.camera).toMatchObject({ rotate: true, zoom: true });
    const { camera } = made.config;
    const path = await suite.app.publish({ template_id: made.id, config: { camera } });
    await enterRoom(page, suite.app.origin + path);
    const seen = () =>
      page.evaluate(() => {
        const { pose, camera } = window.enfilade!.stage!;
        const { maxZoom } = window.enfilade!.stage!.rig.controls;
        return { up: pose.quaternion.x, zoom: camera.zoom, maxZoom, at: { ...pose.position } };
      });
    await page.keyboard.press('PageUp');
    await expect.poll(async () => (await seen()).up).toBeGreaterThan(0.01);
    const { at } = await seen();
    await page.keyboard.press('+');
    await expect.poll(async () => (await seen()).zoom).toBeGreaterThan(1.05);
    await page.mouse.move(300, 200);
    for (let turn = 0; turn < 30; turn++) await page.mouse.wheel(0, -240);
    const { maxZoom } = await seen();
    expect(maxZoom).toBeGreaterThanOrEqual(2);
    await expect.poll(async () => (await seen()).zoom).toBe(maxZoom);
    expect((await seen()).at).toEqual(at);
    for (let turn = 0; turn < 30; turn++) await page.keyboard.press('-');
    await expect.poll(async () => (await seen()).zoom).toBe(1);
    await close();
  });
});
