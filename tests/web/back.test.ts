import { chromium } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { enterRoom, newVisitor } from '../harness/browser.ts';
import { browserFlags, findChromium } from '../harness/chromium.ts';
import { webSuite } from '../harness/web-suite.ts';

const suite = webSuite();
const small = { width: 800, height: 600, depth: 800 };

describe('the Back button of the browser', () => {
  test('closes a dialog before it leaves the room, also a second one', async () => {
    const before = await suite.app.publish({ ...small, title: 'Before' });
    const type_config = { title: 'Ways', content: '<p>Left or right</p>' };
    const path = await suite.app.publish({
      ...small,
      title: 'Hall',
      config: { top_right_link: { name: 'Ways', navigation: { type: 'modal_content', type_config } } },
    });
    const { page, close } = await newVisitor(suite.browser);
    await page.goto(suite.app.origin + before);
    await enterRoom(page, suite.app.origin + path);
    const dialog = page.getByRole('dialog');
    const open = page.getByRole('button', { name: 'Ways' });
    await open.click();
    await dialog.waitFor();
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe(path);
    await open.click();
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await open.click();
    await dialog.waitFor();
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe(path);
    await page.goBack();
    await page.waitForURL(suite.app.origin + before);
    await close();
  });

  test('leaves at once after a dialog was closed by its button', async () => {
    const before = await suite.app.publish({ ...small, title: 'Before' });
    const path = await suite.app.publish({
      ...small,
      title: 'Hall',
      description: '<p>Welcome</p>',
      config: { show_start_popup: true },
    });
    const { page, close } = await newVisitor(suite.browser);
    await page.goto(suite.app.origin + before);
    await enterRoom(page, suite.app.origin + path);
    await page.getByRole('dialog').getByRole('button', { name: 'OK' }).click();
    await page.goBack();
    await page.waitForURL(suite.app.origin + before);
    await close();
  });
});

describe('a page that the browser has stored', () => {
  test('opens with the clock of the server', async () => {
    const path = await suite.app.publish({ ...small, title: 'Hall' });
    const { page, context } = await newVisitor(suite.browser, { isNew: true });
    const statuses: number[] = [];
    page.on('response', (response) => {
      if (new URL(response.url()).pathname === path) statuses.push(response.status());
    });
    for (let time = 0; time < 2; time++) {
      await page.goto('about:blank');
      const asked = time > 0 && page.waitForRequest(`**/api/v1/endpoints${path}`);
      await enterRoom(page, suite.app.origin + path);
      await asked;
      await page.getByRole('heading', { name: 'Hall' }).waitFor();
    }
    expect(await page.evaluate(() => performance.getEntriesByType('navigation')[0]!.toJSON().transferSize)).toBe(300);
    expect(statuses.length).toBe(2);
    await context.close();
  });
});

describe('coming back from another site', () => {
  let browser: Awaited<ReturnType<typeof chromium.launch>>;
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: findChromium(),
      args: browserFlags(),
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
    });
  });
  afterAll(() => browser.close());

  test('resumes the visit where it was, as one visit', async () => {
    const path = await suite.app.publish({ ...small, title: 'Hall' });
    const page = await (await browser.newContext()).newPage();
    await enterRoom(page, suite.app.origin + path);
    await page.getByRole('heading', { name: 'Hall' }).waitFor();
    await page.evaluate(() => Object.assign(window, { isSame: true }));
    await page.goto(`${suite.app.origin}/admin/login`);
    // A resumed page has no load event to wait for.
    await page.evaluate(() => history.back());
    await expect.poll(() => page.evaluate(() => location.pathname).catch(() => '')).toBe(path);
    const look = () => {
      const [entry] = performance.getEntriesByType('navigation') as (PerformanceNavigationTiming & {
        notRestoredReasons?: unknown;
      })[];
      return 'isSame' in window ? 'resumed' : JSON.stringify(entry?.notRestoredReasons);
    };
    expect(await page.evaluate(look)).toBe('resumed');
    await page.getByRole('heading', { name: 'Hall' }).waitFor();
  });
});
