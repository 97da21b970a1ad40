import { afterAll, beforeAll, expect, test } from 'vitest';
import { newVisitor } from '../harness/browser.ts';
import { type Site, startSite } from '../harness/site.ts';
import { webSuite } from '../harness/web-suite.ts';

/** What the pages keep for this test: to whom a room spoke, and what a page heard. */
type Kept = typeof window & {
  sentTo: string[];
  heard: unknown[];
  room: { mute(): Promise<void> };
};

const web = webSuite();
let listed: Site;
let unlisted: Site;
let path: string;

beforeAll(async () => {
  unlisted = await startSite(
    () =>
      "<!doctype html><script>window.heard = []; addEventListener('message', ({ data }) => heard.push(data))</script>",
  );
  listed = await startSite(
    () => `<!doctype html><body><script type="module">
      await import('${web.app.origin}/embed.js');
      window.room = document.querySelector('enfilade-room').room;
    </script>
    <enfilade-room src="${web.app.origin}/embed${path}" autoload style="width: 600px; height: 380px"></enfilade-room></body>`,
  );
  await web.app.client.organizations.update({ body: { name: 'One', embed_domains: [{ domain: listed.origin }] } });
  path = await web.app.publish({ title: 'Gallery' }, [
    { element: 'view_point', name: 'Door', position_x: 300, config: { name: 'Door' } },
  ]);
});
afterAll(() => Promise.all([listed?.close(), unlisted?.close()]));

test('security 39: a room speaks to the site around it only, and that site to the room only, never to whoever is there', async () => {
  const { page, context } = await newVisitor(web.browser);
  await context.addInitScript(() => {
    if (window.parent === window || !location.pathname.startsWith('/embed/')) return;
    // What is sent goes on to where it was sent.
    const { parent } = window;
    const sentTo: string[] = [];
    const postMessage = (message: unknown, target: string) => {
      sentTo.push(target);
      parent.postMessage(message, target);
    };
    Object.assign(window, { sentTo });
    Object.defineProperty(window, 'parent', { value: { postMessage } });
  });
  await page.goto(listed.origin);
  await page.waitForFunction(() => 'room' in window);
  await page.evaluate(() => (window as typeof window & { room: { ready: Promise<unknown> } }).room.ready);
  const inside = page.frames().find((frame) => frame.url().includes('/embed/'))!;
  await page.evaluate(() => (window as Kept).room.mute());
  const sentTo = await inside.evaluate(() => (window as Kept).sentTo);
  expect(sentTo.length).toBeGreaterThan(1);
  expect([...new Set(sentTo)]).toEqual([listed.origin]);

  // The frame shows another site now: what is meant for the room does not reach it.
  await page.evaluate((other) => {
    const frame =
      document.querySelector('iframe') ?? document.querySelector('enfilade-room')!.shadowRoot!.querySelector('iframe')!;
    frame.src = other;
  }, unlisted.origin);
  await expect.poll(() => page.frames().some((frame) => frame.url().startsWith(unlisted.origin))).toBe(true);
  const stranger = page.frames().find((frame) => frame.url().startsWith(unlisted.origin))!;
  await stranger.waitForFunction(() => 'heard' in window);
  await page.evaluate(() => void (window as Kept).room.mute().catch(() => undefined));
  // What was sent before this has arrived when this has.
  await page.evaluate(() => window.frames[0]!.postMessage('the end', '*'));
  const heard = () => stranger.evaluate(() => (window as Kept).heard);
  await expect.poll(heard).toContain('the end');
  expect(await heard()).toEqual(['the end']);
  await context.close();
});
