import type { Frame, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EnfiladeRoom } from '../../src/sdk/embed.ts';
import { newVisitor } from '../harness/browser.ts';
import { type Site, startSite } from '../harness/site.ts';
import { webSuite } from '../harness/web-suite.ts';

/** What the pages of other sites keep for their tests. */
type HostWindow = typeof window & {
  room: EnfiladeRoom;
  heard: { type: string; [field: string]: unknown }[];
};

const web = webSuite();
let listed: Site;
let unlisted: Site;
let path: string;
let next: string;
let ids: { door: number; song: number };
let body = '';

const page = () => `<!doctype html><title>Host</title><body>${body}</body>`;

beforeAll(async () => {
  [listed, unlisted] = await Promise.all([startSite(page), startSite(page)]);
  const { client } = web.app;
  await client.organizations.update({ body: { name: 'One', embed_domains: [{ domain: listed.origin }] } });
  path = await web.app.publish({ title: 'Gallery', config: { duration: 600 } }, [
    {
      element: 'view_point',
      name: 'Door',
      position_x: 300,
      config: { name: 'Door', target_position: { x: 0, y: 0, z: 0 } },
    },
    { element: 'audio', name: 'Song', config: { file_url: '/media/none.mp3' } },
  ]);
  next = await web.app.publish({ title: 'Attic' });
  const { elements } = (await client.visit.one({ params: { slugOne: path.slice(1) } })).room!;
  ids = { door: elements[0]!.id, song: elements[1]!.id };
});
afterAll(() => Promise.all([listed?.close(), unlisted?.close()]));

/** Opens a page of the listed site that shows the room with the element of the SDK. */
async function host() {
  body = `<script type="module">
    window.heard = [];
    await import('${web.app.origin}/embed.js');
    const { room } = document.querySelector('enfilade-room');
    for (const type of ['ready', 'view_point', 'camera', 'media', 'navigate', 'event', 'error'])
      room.on(type, (event) => window.heard.push(event));
    window.room = room;
  </script>
  <enfilade-room src="${web.app.origin}/embed${path}" autoload style="width: 600px; height: 380px"></enfilade-room>`;
  const visitor = await newVisitor(web.browser);
  await visitor.page.goto(listed.origin);
  await visitor.page.waitForFunction(() => 'room' in window);
  return visitor;
}

const heardIn = (of: Page, type: string) =>
  of.evaluate((wanted) => (window as HostWindow).heard.filter((event) => event.type === wanted), type);
const frameOf = (of: Page): Frame => of.frames().find((frame) => frame.url().includes('/embed/'))!;
/** Waits until what came before is done: a camera that was sent somewhere has left by then. */
const settle = (frame: Frame) =>
  frame.evaluate(async () => {
    for (let i = 0; i < 20; i++) await new Promise(requestAnimationFrame);
  });
const cameraX = (frame: Frame) => frame.evaluate(() => window.enfilade!.stage!.pose.position.x);

describe('a page of another site that is listed', () => {
  test('lends the room what its allow list names, a headset too, and nothing else', async () => {
    const { page: outside, close } = await host();
    await outside.evaluate(() => (window as HostWindow).room.ready);
    const allowed = await frameOf(outside).evaluate(() => {
      const { featurePolicy } = document as Document & { featurePolicy: { allowsFeature(name: string): boolean } };
      const names = ['xr-spatial-tracking', 'autoplay', 'camera', 'microphone', 'geolocation', 'payment'];
      return names.filter((name) => featurePolicy.allowsFeature(name));
    });
    expect(allowed).toEqual(['xr-spatial-tracking', 'autoplay']);
    await close();
  });

  test('drives the room with the SDK, and hears what happens in it', async () => {
    const { page: outside, close } = await host();
    const ready = await outside.evaluate(() => (window as HostWindow).room.ready);
    expect(ready).toMatchObject({ title: 'Gallery', path, view_points: [{ id: ids.door, name: 'Door' }] });
    const inside = frameOf(outside);

    await outside.evaluate((id) => (window as HostWindow).room.goToViewPoint(id), ids.door);
    await expect.poll(() => cameraX(inside), { timeout: 30_000 }).toBeGreaterThan(200);
    await expect.poll(() => heardIn(outside, 'view_point')).toEqual([{ type: 'view_point', id: ids.door }]);
    await expect.poll(async () => (await heardIn(outside, 'camera')).length).toBeGreaterThan(0);
    await outside.evaluate(() => (window as HostWindow).room.resetCamera());
    await outside.evaluate(() =>
      (window as HostWindow).room.moveCamera({
        position: { x: -150, y: 0, z: 0 },
        target: { x: -150, y: 0, z: -9 },
      }),
    );
    await expect.poll(() => cameraX(inside), { timeout: 30_000 }).toBeLessThan(-140);
    await expect
      .poll(async () => (await heardIn(outside, 'camera')).at(-1)?.position, { timeout: 30_000 })
      .toMatchObject({ x: expect.closeTo(-150, 0) });

    await outside.evaluate(async ({ song }) => {
      const { room } = window as HostWindow;
      await room.mute();
      await room.play(song);
      await room.unmute(song);
      await room.setTime(60);
      await room.sendEvent('greeting', { from: 'host' });
      await room.replaceTexts({ ok: 'Got it' });
      await room.openDialog({ title: 'Hello', content: '<p>From outside</p><img src="x" onerror="alert(1)">' });
    }, ids);
    await inside.getByText('From outside').waitFor();
    await inside.getByRole('button', { name: 'Got it' }).waitFor();
    // What the page outside silenced, the room's own button gives back.
    await expect.poll(() => inside.locator('[aria-label="Unmute"]').count()).toBe(1);
    await expect
      .poll(async () => (await heardIn(outside, 'media')).map(({ element_id }) => element_id))
      .toContain(ids.song);
    await expect
      .poll(() => inside.evaluate(() => window.dataLayer!.find(({ event }) => event === 'greeting')))
      .toEqual({ event: 'greeting', data: { from: 'host' } });

    const failures = await outside.evaluate(async () => {
      const { room } = window as HostWindow;
      const attempts = [room.goToViewPoint(1e6), room.play(1e6), room.openDialog({ url: 'javascript:alert(1)' })];
      return (await Promise.allSettled(attempts)).map((each) =>
        each.status === 'rejected' ? each.reason.message : '',
      );
    });
    expect(failures).toEqual([
      'This room has no view point 1000000.',
      'Element 1000000 of this room is not playable.',
      'Only https pages and pages of this site can be shown.',
    ]);

    await outside.evaluate((slug) => (window as HostWindow).room.navigate(slug), next.slice(1));
    await expect
      .poll(() => heardIn(outside, 'navigate'), { timeout: 30_000 })
      .toEqual([{ type: 'navigate', path: next }]);
    await expect.poll(async () => (await heardIn(outside, 'ready')).at(-1)?.title, { timeout: 20_000 }).toBe('Attic');
    await close();
  });

  test('may speak without the SDK: text or object, type or channel', async () => {
    body = `<iframe src="${web.app.origin}/embed${path}?autoload=1" width="600" height="380"></iframe>
      <script>window.heard = []; addEventListener('message', ({ data }) => window.heard.push(data))</script>`;
    const { page: outside, close } = await newVisitor(web.browser);
    await outside.goto(listed.origin);
    await expect.poll(async () => (await heardIn(outside, 'ready')).length, { timeout: 30_000 }).toBe(1);
    const tell = (message: unknown) =>
      outside.evaluate((data) => document.querySelector('iframe')!.contentWindow!.postMessage(data, '*'), message);
    await tell(JSON.stringify({ channel: 'view_point', id: ids.door, request: 'a' }));
    await tell({ type: 'camera.reset', request: 'b' });
    await tell({ type: 'nothing we know', request: 'c' });
    await tell('no JSON');
    await tell(null);
    await expect
      .poll(() => heardIn(outside, 'done'))
      .toEqual([
        { type: 'done', request: 'a' },
        { type: 'done', request: 'b' },
      ]);
    const [refusal] = (await heardIn(outside, 'error')).filter(({ request }) => request);
    expect(refusal).toEqual({
      type: 'error',
      code: 'invalid',
      request: 'c',
      message: 'A message of an unknown type: nothing we know.',
    });
    await close();
  });
});

describe('messages of who may not send any', () => {
  /** Ten thousand messages of every kind that would do something. */
  const flood = (id: number, slug: string) => {
    const kinds = [
      { type: 'view_point', id },
      { type: 'camera', position: { x: 500, y: 0, z: 0 } },
      JSON.stringify({ type: 'modal', title: 'Evil', content: 'Evil' }),
      { type: 'navigate', slug_one: slug },
      { type: 'connect', request: 'x' },
    ];
    for (let index = 0; index < 10_000; index++) window.postMessage(kinds[index % kinds.length], '*');
  };

  test('security 39: unlisted, look-alike and null origins have no effect and no answer', async () => {
    const { page: outside, close } = await host();
    await outside.evaluate(() => (window as HostWindow).room.ready);
    const inside = frameOf(outside);
    const x = await cameraX(inside);
    const before = await heardIn(outside, 'ready');
    const origins = [
      'null',
      '',
      unlisted.origin,
      `${listed.origin}.evil.example`,
      `${listed.origin}0`,
      'https://evil.example',
    ];
    await inside.evaluate(
      ({ from, id, slug }) => {
        const send = (origin: string, data: unknown) =>
          window.dispatchEvent(new MessageEvent('message', { origin, data, source: window.parent }));
        const kinds = [
          { type: 'view_point', id },
          { type: 'camera', position: { x: 500, y: 0, z: 0 } },
          JSON.stringify({ type: 'modal', title: 'Evil', content: 'Evil' }),
          { type: 'navigate', slug_one: slug },
          { type: 'connect', request: 'x' },
        ];
        for (let index = 0; index < 10_000; index++) send(from[index % from.length]!, kinds[index % kinds.length]);
      },
      { from: origins, id: ids.door, slug: next.slice(1) },
    );
    await settle(inside);
    expect(await cameraX(inside)).toBe(x);
    expect(await inside.getByText('Evil').count()).toBe(0);
    expect(await heardIn(outside, 'ready')).toEqual(before);
    expect(await heardIn(outside, 'view_point')).toEqual([]);
    expect(await inside.evaluate(() => window.enfilade!.state.endpoint!.path)).toBe(path);
    await close();
  });

  test('security 39: a real frame without an origin is not heard, and nothing is sent to a page that is not listed', async () => {
    const { page: outside, close } = await host();
    await outside.evaluate(() => (window as HostWindow).room.ready);
    const inside = frameOf(outside);
    const x = await cameraX(inside);
    const said: string[] = [];
    outside.on('console', (message) => said.push(message.text()));
    await outside.evaluate(
      (code) => {
        const frame = document.createElement('iframe');
        frame.sandbox.add('allow-scripts');
        frame.srcdoc = `<script>(${code})</script>`;
        document.body.append(frame);
      },
      `${flood.toString().replaceAll('window.postMessage', 'parent.frames[0].postMessage')})(${ids.door}, '${next.slice(1)}'`,
    );
    await expect
      .poll(() => said.filter((text) => text.includes('origin that is not allowed')).length)
      .toBeGreaterThan(9);
    await settle(inside);
    expect(await cameraX(inside)).toBe(x);
    expect(await inside.evaluate(() => window.enfilade!.state.dialog)).toBeNull();
    await close();

    // The browser refuses to show the room there at all.
    body = `<iframe src="${web.app.origin}/embed${path}?autoload=1"></iframe>`;
    const stranger = await newVisitor(web.browser);
    await stranger.page.goto(unlisted.origin);
    await expect.poll(() => stranger.faults.some((fault) => fault.includes('frame-ancestors'))).toBe(true);
    await stranger.close();
  });
});

describe('a promise of the SDK', () => {
  /** Opens a page of a site that shows what is at an address of ours; gives how `ready` and a command ended. */
  async function settled(site: Site, address: string) {
    body = `<script type="module">
      await import('${web.app.origin}/embed.js');
      window.room = document.querySelector('enfilade-room').room;
    </script><enfilade-room src="${web.app.origin}/embed${address}" autoload></enfilade-room>`;
    const visitor = await newVisitor(web.browser);
    await visitor.page.clock.install();
    await visitor.page.goto(site.origin);
    await visitor.page.waitForFunction(() => 'room' in window);
    return { ...visitor, ends: () => endsOf(visitor.page) };
  }
  const endsOf = (of: Page) =>
    of.evaluate(async () => {
      const { room } = window as HostWindow;
      const ends = await Promise.allSettled([room.ready, room.resetCamera()]);
      return ends.map((end) => (end.status === 'rejected' ? end.reason.code : end.status));
    });

  test('settles for a room that is missing', async () => {
    const { ends, close } = await settled(listed, '/nowhere');
    expect(await ends()).toEqual(['missing', 'missing']);
    await close();
  });

  test('settles for a room behind a code, and is another one once a visitor has entered', async () => {
    const room = await web.app.client.rooms.create({ body: { title: 'Vault' } });
    const { id } = await web.app.client.endpoints.create({
      body: { name: 'Vault', room_id: room.id, is_protected: true },
    });
    await web.app.client.accessTokens.create({ body: { endpoint_id: id, token: 'open-sesame-1' } });
    const { ends, page: outside, close } = await settled(listed, '/vault');
    expect(await ends()).toEqual(['protected', 'protected']);
    const inside = frameOf(outside);
    await inside.getByLabel('Your personal code').fill('open-sesame-1');
    await inside.getByLabel('Your personal code').press('Enter');
    await expect.poll(() => endsOf(outside)).toEqual(['fulfilled', 'fulfilled']);
    await close();
  });

  test('settles for a site that is not listed', async () => {
    const { ends, page: outside, context } = await settled(unlisted, path);
    await outside.clock.runFor(1000);
    await outside.clock.fastForward(130_000);
    expect(await ends()).toEqual(['not_listed', 'not_listed']);
    await context.close();
  });

  test('to go to a room that is not there, or behind a code, is rejected; one to go to a room is kept there', async () => {
    const { page: outside, close } = await settled(listed, path);
    const go = (slug: string) =>
      outside.evaluate(
        (to) =>
          (window as HostWindow).room.navigate(to).then(
            () => 'there',
            ({ code }) => code,
          ),
        slug,
      );
    expect(await go('nope')).toBe('missing');
    expect(await go(next.slice(1))).toBe('there');
    expect(await frameOf(outside).evaluate(() => window.enfilade!.state.endpoint!.path)).toBe(next);
    await close();
  });

  test('a message that lacks something is told what it needs', async () => {
    const { page: outside, close } = await settled(listed, path);
    const sentence = await outside.evaluate(() =>
      (window as HostWindow).room.goToViewPoint('x' as unknown as number).catch(({ message }) => message),
    );
    expect(sentence).toBe('`view_point` needs a numeric `id`.');
    await close();
  });
});
