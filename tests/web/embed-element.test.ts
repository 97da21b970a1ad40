import { afterAll, beforeAll, expect, test } from 'vitest';
import { newVisitor } from '../harness/browser.ts';
import { type Site, startSite } from '../harness/site.ts';
import { webSuite } from '../harness/web-suite.ts';

const web = webSuite();
let listed: Site;
let path: string;
let next: string;
let body = '';

beforeAll(async () => {
  listed = await startSite(() => `<!doctype html><title>Host</title><body>${body}</body>`);
  await web.app.client.organizations.update({ body: { name: 'One', embed_domains: [{ domain: listed.origin }] } });
  path = await web.app.publish({ title: 'Gallery' });
  next = await web.app.publish({ title: 'Attic' });
});
afterAll(() => listed?.close());

test('an element without a style of its own keeps a size, and asks for its page once', async () => {
  const visitor = await newVisitor(web.browser);
  const asked: string[] = [];
  visitor.page.on('request', (request) => {
    if (request.isNavigationRequest() && request.url().includes('/embed/')) asked.push(request.url());
  });
  body = `<div style="width: 480px"><enfilade-room src="${web.app.origin}/embed${path}" autoload hide-logo transparent></enfilade-room></div>
    <script type="module" src="${web.app.origin}/embed.js"></script>`;
  await visitor.page.goto(listed.origin);
  await visitor.page.locator('enfilade-room iframe').waitFor();
  await visitor.page.frameLocator('enfilade-room iframe').locator('#room[data-state="ready"]').waitFor();
  expect(asked).toHaveLength(1);
  const box = await visitor.page.locator('enfilade-room iframe').boundingBox();
  expect([box!.width, box!.height]).toEqual([480, 270]);
  await visitor.close();
});

test('a lazy element shows its poster, and loads the room once that is pressed', async () => {
  const visitor = await newVisitor(web.browser);
  const asked: string[] = [];
  visitor.page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url());
    if (origin === web.app.origin) asked.push(pathname);
  });
  const poster = `${web.app.origin}/apple-touch-icon.png`;
  body = `<enfilade-room src="${web.app.origin}/embed${path}" loading="lazy"></enfilade-room>
    <enfilade-room src="${web.app.origin}/embed${next}" loading="lazy" title="The attic" poster="${poster}"></enfilade-room>
    <script type="module" src="${web.app.origin}/embed.js"></script>`;
  await visitor.page.goto(listed.origin);
  // The server names the first; the second says everything itself.
  const first = visitor.page.getByRole('button', { name: 'Room 1', exact: true });
  await first.waitFor();
  const second = visitor.page.getByRole('button', { name: 'The attic', exact: true });
  await second.waitFor();
  await visitor.page.waitForLoadState('networkidle');
  expect(
    [...new Set(asked)].filter((path) => !/^\/(?:apple-touch-icon\.png|embed\.js|oembed\.json)$/.test(path)),
  ).toEqual([]);
  expect(
    await visitor.page.evaluate(() => document.querySelector<HTMLElement & { room?: unknown }>('enfilade-room')!.room),
  ).toBeUndefined();
  await first.focus();
  await visitor.page.keyboard.press('Enter');
  await visitor.page.frameLocator('enfilade-room iframe').locator('#room[data-state="ready"]').waitFor();
  expect(await visitor.page.evaluate(() => document.activeElement?.tagName)).toBe('IFRAME');
  expect(await visitor.page.locator('enfilade-room iframe').count()).toBe(1);
  await second.waitFor();
  await visitor.close();
});

test('an element of the SDK shows nothing but pages', async () => {
  const visitor = await newVisitor(web.browser);
  body = `<script type="module">
    await import('${web.app.origin}/embed.js');
    window.ran = [];
    for (const src of ['javascript:parent.ran.push(1)', ' java\\nscript:parent.ran.push(2)', 'data:text/html,<script>parent.ran.push(3)<\\/script>', 'blob:x']) {
      const room = document.createElement('enfilade-room');
      room.setAttribute('src', src);
      document.body.append(room);
    }
    window.done = true;
  </script>`;
  await visitor.page.goto(listed.origin);
  await visitor.page.waitForFunction(() => 'done' in window);
  expect(await visitor.page.locator('enfilade-room').count()).toBe(4);
  expect(await visitor.page.locator('enfilade-room iframe').count()).toBe(0);
  expect(await visitor.page.evaluate(() => (window as typeof window & { ran: number[] }).ran)).toEqual([]);
  await visitor.close();
});

test('the script is open to every site, and asked for anew each time', async () => {
  const response = await fetch(`${web.app.origin}/embed.js`);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(response.headers.get('cache-control')).toBe('no-cache');
  const text = await response.text();
  expect(text).toContain('enfilade-room');
  expect(text).not.toMatch(/import\s*[{"'(]/);
  console.log(`The script for other sites: ${text.length} bytes.`);
  const headers = { 'if-none-match': response.headers.get('etag')! };
  expect((await fetch(`${web.app.origin}/embed.js`, { headers })).status).toBe(304);
});
