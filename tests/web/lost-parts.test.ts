import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { openAdmin } from '../harness/admin-page.ts';
import { enterRoom, newVisitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';

const suite = webSuite();
const small = { width: 800, height: 600, depth: 800 };
const newPage = () => newVisitor(suite.browser, { isNew: true });

/** Fails requests for files. @param times how often each; always, if omitted */
async function lose(page: Page, files: RegExp, times = Number.POSITIVE_INFINITY): Promise<{ restore(): void }> {
  const failures = new Map<string, number>();
  let limit = times;
  await page.route(files, (route) => {
    const url = route.request().url();
    const count = failures.get(url) ?? 0;
    failures.set(url, count + 1);
    return count < limit ? route.abort() : route.continue();
  });
  return {
    restore: () => {
      limit = 0;
    },
  };
}

const retry = (page: Page) => page.getByRole('alert').getByRole('button', { name: 'Retry' });

describe('a part of a room that fails to load', () => {
  test('is requested again: scripts and style sheets of every kind', async () => {
    const path = await suite.app.publish({ ...small, title: 'Hall' }, [
      { element: 'html', position_z: -300, width: 200, height: 100, config: { body: '<p>On the wall</p>' } },
    ]);
    const { page, context } = await newPage();
    await lose(page, /\/assets\/(?!viewer-).*\.(?:js|css)$/, 1);
    await enterRoom(page, suite.app.origin + path);
    await page.getByRole('heading', { name: 'Hall' }).waitFor();
    await page.getByText('On the wall').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await context.close();
  });

  test('the engine itself is requested again, then the page offers to reload', async () => {
    const path = await suite.app.publish({ ...small, title: 'Hall' });
    const once = await newPage();
    await lose(once.page, /\/assets\/viewer-[^/]*\.js$/, 1);
    await enterRoom(once.page, suite.app.origin + path);
    await once.context.close();
    const { page, context } = await newPage();
    const lost = await lose(page, /\/assets\/viewer-[^/]*\.js$/);
    await page.goto(suite.app.origin + path);
    const link = page.locator('#lost button');
    await link.waitFor();
    expect(await link.textContent()).toContain('could not be loaded');
    lost.restore();
    await link.click();
    await page.getByText('Click to enter').waitFor();
    await context.close();
  });

  test('shows a message with a Retry button, in the language of the visit, and works after it', async () => {
    const path = await suite.app.publish({ ...small, title: 'Hall' });
    const { page, context } = await newPage();
    const lost = await lose(page, /\/assets\/[Oo]verlay[^/]*\.js$/);
    await enterRoom(page, `${suite.app.origin}${path}?lang=de`);
    const button = page.getByRole('alert').getByRole('button', { name: 'Erneut versuchen' });
    await button.waitFor();
    lost.restore();
    await button.click();
    await page.getByRole('heading', { name: 'Hall' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await context.close();
  });

  test('offers to reload the page after a retry that failed', async () => {
    const path = await suite.app.publish({ ...small, title: 'Hall' });
    const { page, context } = await newPage();
    const lost = await lose(page, /\/assets\/[Oo]verlay[^/]*\.js$/);
    await enterRoom(page, suite.app.origin + path);
    await retry(page).click();
    const reload = page.getByRole('alert').getByRole('button', { name: 'Reload page' });
    await reload.waitFor();
    lost.restore();
    await reload.click();
    await page.getByText('Click to enter').click();
    await page.getByRole('heading', { name: 'Hall' }).waitFor();
    await context.close();
  });
});

describe('a frame that may not load scripts of its own site', () => {
  test('shows that the room could not be loaded, instead of loading forever', async () => {
    const path = await suite.app.publish({ ...small, title: 'Hall' });
    const { page, context } = await newPage();
    await page.goto(`${suite.app.origin}/robots.txt`);
    await page.evaluate((src) => {
      const frame = Object.assign(document.createElement('iframe'), { src });
      frame.sandbox.add('allow-scripts');
      document.body.append(frame);
    }, `/embed${path}`);
    await page.frameLocator('iframe').getByRole('button', { name: 'could not be loaded' }).waitFor();
    await context.close();
  });
});

describe('a file of a room that is missing', () => {
  test('shows one message', async () => {
    const image = (await suite.app.upload('fixtures/media/panorama.jpg')).id;
    const path = await suite.app.publish({ ...small, title: 'Hall' }, [
      { element: 'image', file_id: image, position_z: -300 },
      { element: 'image', file_id: image, position_z: -300, position_x: 200 },
    ]);
    const { page, context } = await newPage();
    await page.route(/\/media\//, (route) => route.abort());
    await enterRoom(page, suite.app.origin + path);
    await page.getByText('Part of this room could not be loaded.').waitFor();
    expect(await page.getByText('Part of this room could not be loaded.').count()).toBe(1);
    await context.close();
  });
});

describe('a screen of the back-office that fails to load', () => {
  test('shows the message, and appears after Retry', async () => {
    const { page, context } = await openAdmin(suite.app, suite.browser, '/admin/spaces');
    await page.getByRole('heading', { name: 'Spaces' }).waitFor();
    const lost = await lose(page, /\/assets\/[^/]*AuditScreen[^/]*\.js$/);
    await page.evaluate(() => {
      history.pushState({}, '', '/admin/settings/audit');
      dispatchEvent(new PopStateEvent('popstate'));
    });
    await retry(page).waitFor();
    lost.restore();
    await retry(page).click();
    await page.getByRole('heading', { name: 'Audit log' }).waitFor();
    await context.close();
  });
});
