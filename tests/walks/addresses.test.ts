import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAdmin } from '../harness/admin-page.ts';
import { newVisitor, type Visitor } from '../harness/browser.ts';
import { quiet } from '../harness/quiet-page.ts';
import { ADMIN } from '../harness/web-app.ts';
import { webSuite } from '../harness/web-suite.ts';

const web = webSuite();

/** Most pages that an address may lead over before somebody does something. */
const MOST = 3;

const GONE = 'This page does not exist';

/** Addresses that lead to no page of their own, and the heading of the page and the path that they end at. */
const ADDRESSES: [path: string, heading: string, endsAt?: string][] = [
  ['/admin/editor', 'Spaces', '/admin/spaces'],
  ['/admin/editor/', 'Spaces', '/admin/spaces'],
  ['/admin/editor?x=1', 'Spaces', '/admin/spaces'],
  ['/admin/editor/preview', 'Spaces', '/admin/spaces'],
  ['/admin/editor/preview/', 'Spaces', '/admin/spaces'],
  ['/admin/editor/abc', GONE],
  ['/admin/editor/1/2/3', GONE],
  ['/admin/editor/preview/abc', GONE],
  ['/admin/EDITOR', 'Spaces', '/admin/spaces'],
  ['/admin/password', GONE],
  ['/admin/login/x', GONE],
  ['/admin/nope/deep', GONE],
  ['/admin', 'Dashboard'],
  ['/admin/editor/x/y/z', GONE],
  ['/admin/editor/x/y/z?x=1&y=2', GONE],
  ['/admin/a/b/c/d', GONE],
  ['/admin/a/b/c/d?x=1', GONE],
];

/** Counts the documents that a page loads. */
function countLoads(page: Page): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) count++;
  });
  return () => count;
}

const pathOf = (page: Page) => page.url().slice(web.app.origin.length);
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

describe('an address of the back-office that is no page', () => {
  let inside: Visitor;
  beforeAll(async () => {
    inside = await openAdmin(web.app, web.browser, '/admin');
  });
  afterAll(() => inside.close());

  test.each(ADDRESSES)('%s, signed in: ends at “%s” and rests there', async (path, name, endsAt = path) => {
    const { page } = inside;
    const loads = countLoads(page);
    await page.goto(web.app.origin + path);
    await heading(page, name).waitFor();
    await quiet(page);
    expect(pathOf(page)).toBe(endsAt);
    expect(loads()).toBeLessThanOrEqual(MOST);
  });

  test.each(ADDRESSES)('%s, signed out: asks to sign in, and then ends at “%s”', async (path, name, endsAt = path) => {
    const { page, close } = await newVisitor(web.browser, { viewport: { width: 1280, height: 800 } });
    const loads = countLoads(page);
    await page.goto(web.app.origin + path);
    await page.getByLabel('E-mail').waitFor();
    expect(new URL(page.url()).searchParams.get('redirect')).toBe(path);
    expect(loads()).toBeLessThanOrEqual(MOST);
    await page.getByLabel('E-mail').fill(ADMIN.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(ADMIN.password);
    await page.getByRole('button', { name: 'Login' }).click();
    await heading(page, name).waitFor();
    await quiet(page);
    expect(pathOf(page)).toBe(endsAt);
    expect(loads()).toBeLessThanOrEqual(MOST * 2);
    await close();
  });
});

describe('the editor of a space', () => {
  test.each(['/admin/editor/%s', '/admin/editor/%s/', '/admin/Editor/%s', '/admin/editor/%s?x=1'])(
    'is found at %s, signed in and after signing in',
    async (pattern) => {
      const { id } = await web.app.client.rooms.create({ body: { title: 'Hall' } });
      const path = pattern.replace('%s', String(id));
      const inside = await openAdmin(web.app, web.browser, '/admin');
      const loads = countLoads(inside.page);
      await inside.page.goto(web.app.origin + path);
      await heading(inside.page, `Room #${id}`).waitFor();
      expect(loads()).toBeLessThanOrEqual(MOST);
      await inside.close();
      const { page, close } = await newVisitor(web.browser, { viewport: { width: 1280, height: 800 } });
      await page.goto(web.app.origin + path);
      await page.getByLabel('E-mail').fill(ADMIN.email);
      await page.getByRole('textbox', { name: 'Password' }).fill(ADMIN.password);
      await page.getByRole('button', { name: 'Login' }).click();
      await heading(page, `Room #${id}`).waitFor();
      await close();
    },
  );

  test('has its preview at an address of its own', async () => {
    const { id } = await web.app.client.rooms.create({ body: { title: 'Hall' } });
    const { page, close } = await openAdmin(web.app, web.browser, '/admin');
    const loads = countLoads(page);
    await page.goto(`${web.app.origin}/admin/editor/preview/${id}/`);
    await heading(page, 'Preview of Hall').waitFor();
    expect(loads()).toBeLessThanOrEqual(MOST);
    await close();
  });
});
