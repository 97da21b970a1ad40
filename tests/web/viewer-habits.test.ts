import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { accessibilityFaults } from '../harness/admin-page.ts';
import { enterRoom, newVisitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';

const suite = webSuite();
const small = { width: 800, height: 600, depth: 800 };
const turning = { ...small, config: { camera: { rotate: true } } };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const point = (name: string, position_x: number) =>
  ({ element: 'view_point', position_x, config: { name, target_position: { x: position_x, y: 0, z: -300 } } }) as const;
const views = [point('West', -250), point('East', 250)];

const box = async (page: Page, selector: string) => (await page.locator(selector).boundingBox())!;
const controls = (page: Page) => page.getByRole('region', { name: 'Controls' });
const settled = (page: Page) =>
  expect.poll(() => page.evaluate(() => window.enfilade!.stage!.pose.position.x), { timeout: 30_000 });

describe('a joystick', () => {
  test('is small under a mouse, one button under a finger, and stays as the visitor left it', async () => {
    const url = suite.app.origin + (await suite.app.publish(turning, views));
    const desk = await newVisitor(suite.browser);
    await enterRoom(desk.page, url);
    const nav = '#overlay nav[aria-label="Move"]';
    expect((await box(desk.page, nav)).width).toBeLessThan(130);
    await desk.page.getByRole('button', { name: 'Hide joystick' }).click();
    await desk.page.getByRole('slider', { name: 'Height' }).waitFor({ state: 'detached' });
    await enterRoom(desk.page, url);
    await desk.page.getByRole('button', { name: 'Show joystick' }).waitFor();
    await desk.close();

    const held = await newVisitor(suite.browser, phone);
    await enterRoom(held.page, url);
    expect((await box(held.page, nav)).width).toBeLessThanOrEqual(390 / 4);
    // An open list moves nothing, and does not fade while it is read.
    const before = await box(held.page, nav);
    await held.page.locator('#overlay [aria-controls]').tap();
    await controls(held.page).getByRole('button', { name: 'East' }).waitFor();
    expect(await box(held.page, nav)).toEqual(before);
    await held.page.getByRole('button', { name: 'Show joystick' }).tap();
    await held.page.getByRole('slider', { name: 'Height' }).waitFor();
    expect(await accessibilityFaults(held.page)).toEqual([]);
    await held.close();
  });

  test('leaves the button of all else free at 400 %, open as well', async () => {
    const { page, close } = await newVisitor(suite.browser, { viewport: { width: 360, height: 225 } });
    await enterRoom(page, suite.app.origin + (await suite.app.publish(turning, views)));
    await page.getByRole('button', { name: 'Show joystick' }).click();
    await page.getByRole('slider', { name: 'Height' }).waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Help' }).waitFor();
    await close();
  });
});

describe('an open list', () => {
  test('on a touch screen does not hide after five seconds', async () => {
    const { page, context } = await newVisitor(suite.browser, phone);
    await page.clock.install();
    await page.goto(suite.app.origin + (await suite.app.publish(small, views)));
    await page.locator('#entrance.is-ready').press('Enter');
    await page.locator('#room[data-state="ready"]').waitFor();
    await page.getByRole('button', { name: 'More' }).tap();
    await page.clock.fastForward(20_000);
    await page.getByRole('button', { name: 'Help' }).tap();
    await page.getByRole('dialog').getByText('Drag with one finger').waitFor();
    await context.close();
  });
});

describe('a dialog', () => {
  test('scrolls what it says between its title and its buttons, and closes with its cross', async () => {
    const content = Array.from({ length: 80 }, (_, index) => `<p>Paragraph ${index}</p>`).join('');
    const navigation = { type: 'modal_content' as const, type_config: { title: 'House rules', content } };
    const path = await suite.app.publish({ ...small, config: { top_right_link: { name: 'Rules', navigation } } });
    const { page, close } = await newVisitor(suite.browser);
    await enterRoom(page, suite.app.origin + path);
    await page.getByRole('button', { name: 'Rules' }).click();
    const dialog = page.getByRole('dialog');
    const foot = await dialog.getByRole('button', { name: 'OK' }).boundingBox();
    expect(foot!.y + foot!.height).toBeLessThanOrEqual(400);
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    await close();
  });
});

describe('the whole screen', () => {
  test('is taken by a button or F, and given back', async () => {
    const { page, close } = await newVisitor(suite.browser);
    await enterRoom(page, suite.app.origin + (await suite.app.publish(small)));
    await page.getByRole('button', { name: 'Full screen', exact: true }).click();
    await page.waitForFunction(() => document.fullscreenElement !== null);
    await page.getByRole('button', { name: 'Exit full screen' }).waitFor();
    await page.keyboard.press('f');
    await page.waitForFunction(() => document.fullscreenElement === null);
    await close();
  });

  test('is not offered where the browser does not allow it', async () => {
    const { page, context } = await newVisitor(suite.browser);
    await page.addInitScript(() => Object.defineProperty(document, 'fullscreenEnabled', { value: false }));
    await enterRoom(page, suite.app.origin + (await suite.app.publish(small)));
    await page.getByRole('button', { name: 'More' }).waitFor();
    expect(await page.getByRole('button', { name: 'Full screen' }).count()).toBe(0);
    await context.close();
  });
});

describe('view points', () => {
  test('show what is seen from them, are kept in the address, and stay current when the visitor walks away', async () => {
    const url = suite.app.origin + (await suite.app.publish(small, views));
    const { page, close, faults } = await newVisitor(suite.browser, { reducedMotion: 'reduce' });
    await enterRoom(page, url);
    expect(page.url()).toBe(url);
    await page.locator('#overlay [aria-controls]').click();
    const pictures = page.locator('#overlay ol img[src^="data:image/jpeg"]');
    await expect.poll(() => pictures.count()).toBe(2);
    const [west, east] = await pictures.evaluateAll((all) => all.map((each) => (each as HTMLImageElement).src));
    expect(west).not.toBe(east);
    expect(await pictures.first().getAttribute('alt')).toBe('');
    expect(await accessibilityFaults(page)).toEqual([]);
    await controls(page).getByRole('button', { name: 'East' }).click();
    await page.waitForURL(/#view_point=\d+$/);
    await page.reload();
    await page.locator('#entrance.is-ready').press('Enter');
    await settled(page).toBeCloseTo(250, 0);
    await page.locator('#overlay [aria-controls]').getByText('East').waitFor();
    await page.getByRole('button', { name: 'Left', exact: true }).press('Enter');
    await page.waitForURL(/#camera=150,/);
    await page.locator('#overlay [aria-controls]').getByText('East').waitFor();
    await page.reload();
    await page.locator('#entrance.is-ready').press('Enter');
    await settled(page).toBeCloseTo(150, 0);
    expect(faults).toEqual([]);
    await close();
  });

  test('a linked place outside of the room is its nearest inside', async () => {
    const { page, close } = await newVisitor(suite.browser);
    await enterRoom(page, `${suite.app.origin}${await suite.app.publish(small)}#camera=90000,0,0,90000,0,-100`);
    await settled(page).toBeCloseTo(380, 0);
    await close();
  });

  test('a language asked for in the address is kept through doors', async () => {
    const next = await suite.app.publish(small);
    const { page, close } = await newVisitor(suite.browser);
    await enterRoom(page, `${suite.app.origin}${await suite.app.publish(small)}?lang=nl`);
    await page.evaluate((path) => {
      window.enfilade!.follow({ type: 'space', type_config: { endpoint: null, endpoint_url: path } });
    }, next);
    await page.waitForURL(`${suite.app.origin}${next}?lang=nl`);
    await close();
  });
});
