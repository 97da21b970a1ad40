import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EnfiladeRoom } from '../../src/sdk/embed.ts';
import { type Site, startSite } from '../harness/site.ts';
import { webSuite } from '../harness/web-suite.ts';
import { nextFrames, plainRoom, publishTree } from './elements/play.ts';
import { FILMS, watchedGuest } from './elements/watched-guest.ts';

type HostWindow = typeof window & { room: EnfiladeRoom; chosen: Record<string, boolean>[] };

const web = webSuite();
let tube: string;
let other: string;
let site: Site;
let body = '';

const ask = (third_parties: 'ask' | 'specified', tag_manager_id = '') =>
  web.app.client.organizations.update({ body: { third_parties, tag_manager_id } });

beforeAll(async () => {
  site = await startSite(() => `<!doctype html><title>Host</title><body>${body}</body>`);
  await web.app.client.organizations.update({ body: { embed_domains: [{ domain: site.origin }] } });
  tube = await publishTree(web.app, { ...plainRoom, config: { ...plainRoom.config, duration: 600 } }, FILMS);
  other = await publishTree(web.app, plainRoom, [{ element: 'iframe', config: { src: 'https://page.example/b' } }]);
  await ask('ask');
});
afterAll(() => site?.close());

const watched = () => watchedGuest(web.app, web.browser, site.origin);

describe('the consent manager of an embedding page', () => {
  test('decides for its rooms: nothing loads before, and the visitor’s own presses are reported', async () => {
    await ask('specified');
    const guest = await watched();
    const { page } = guest;
    body = `<script type="module">
      window.chosen = [];
      await import('${web.app.origin}/embed.js');
      const { room } = document.querySelector('enfilade-room');
      room.on('consent', ({ hosts }) => window.chosen.push(hosts));
      window.room = room;
    </script>
    <enfilade-room src="${web.app.origin}/embed${tube}" autoload consent="host" style="width: 470px; height: 290px"></enfilade-room>`;
    await page.goto(site.origin);
    await page.waitForFunction(() => 'room' in window);
    const parties = await page.evaluate(async () => (await (window as HostWindow).room.ready).third_parties);
    expect(parties).toEqual([
      { host: 'youtube.com', name: 'YouTube', allowed: false },
      { host: 'vimeo.com', name: 'Vimeo', allowed: false },
    ]);
    const frame = page.frameLocator('enfilade-room iframe');
    await frame.getByRole('button', { name: 'Load content from vimeo.com' }).waitFor();
    expect(await frame.locator('#consent').count()).toBe(0);
    expect(guest.hosts()).toEqual([]);
    await page.evaluate(() => (window as HostWindow).room.setConsent({ 'youtube.com': true }));
    await frame.locator('iframe[title="Tube"][src]').waitFor();
    await expect.poll(() => guest.hosts()).toEqual(['www.youtube-nocookie.com']);
    await frame.getByRole('button', { name: 'Load content from vimeo.com' }).press('Enter');
    await frame.locator('iframe[title="Meo"][src]').waitFor();
    await expect
      .poll(() => page.evaluate(() => (window as HostWindow).chosen))
      .toEqual([{ 'youtube.com': true }, { 'vimeo.com': true }]);
    await page.evaluate(() => (window as HostWindow).room.setConsent(false));
    await frame.getByRole('button', { name: 'Load content from youtube.com' }).waitFor();
    await frame.locator('iframe[title="Meo"]').waitFor({ state: 'detached' });
    const refused = await page.evaluate(() =>
      (window as HostWindow).room.setConsent({ 'youtube.com': 'yes' } as never).catch(({ code }) => code),
    );
    expect(refused).toBe('invalid');
    await guest.context.close();
    await ask('ask');
  });

  test('is the parent window only, and nothing of its decision is stored', async () => {
    const guest = await watched();
    const { page } = guest;
    body = `<script type="module">
      await import('${web.app.origin}/embed.js');
      window.room = document.querySelector('enfilade-room').room;
    </script>
    <iframe srcdoc="Beside"></iframe>
    <enfilade-room src="${web.app.origin}/embed${tube}" autoload style="width: 470px; height: 290px"></enfilade-room>`;
    await page.goto(site.origin);
    await page.waitForFunction(() => 'room' in window);
    await page.evaluate(async () => void (await (window as HostWindow).room.ready));
    const frame = page.frameLocator('enfilade-room iframe');
    await frame.locator('#consent').waitFor();
    const refused = page.waitForEvent('console', (message) => message.text().includes('Only the embedding page'));
    // Another window of the same site.
    await page.evaluate(() => {
      const beside = document.querySelector('iframe')!.contentWindow as typeof window;
      const room = document.querySelector<HTMLIFrameElement>('enfilade-room iframe')!.contentWindow!;
      Object.assign(beside, { room });
      beside.eval(`room.postMessage({ type: 'consent', hosts: true }, '*')`);
    });
    await refused;
    expect(guest.hosts()).toEqual([]);
    await page.evaluate(() => (window as HostWindow).room.setConsent(true));
    await page.evaluate(() => (window as HostWindow).room.setConsent({ 'vimeo.com': false }));
    await frame.locator('iframe[title="Tube"][src]').waitFor();
    await frame.getByRole('button', { name: 'Load content from vimeo.com' }).waitFor();
    expect(await frame.locator('#consent').count()).toBe(0);
    const kept = await frame.locator('body').evaluate(() => ({ ...localStorage, ...sessionStorage }));
    expect(Object.keys(kept).filter((key) => key.includes('consent'))).toEqual([]);
    // Another room in the frame hears all of it.
    await page.evaluate((path) => (window as HostWindow).room.navigate(path.slice(1)), other);
    await expect.poll(() => guest.hosts()).toContain('page.example');
    expect(guest.hosts()).not.toContain('player.vimeo.com');
    await guest.context.close();
  });

  test('blocks only refused hosts where content loads as specified, and the frame stays', async () => {
    await ask('specified', 'GTM-ABC1234');
    const guest = await watched();
    const { page } = guest;
    const loads: string[] = [];
    page.on('request', (request) => {
      if (request.isNavigationRequest() && request.url().startsWith(web.app.origin)) loads.push(request.url());
    });
    body = `<script type="module">
      await import('${web.app.origin}/embed.js');
      window.room = document.querySelector('enfilade-room').room;
    </script>
    <enfilade-room src="${web.app.origin}/embed${tube}" autoload style="width: 470px; height: 290px"></enfilade-room>`;
    await page.goto(site.origin);
    await page.waitForFunction(() => 'room' in window);
    await expect.poll(() => guest.hosts()).toContain('www.googletagmanager.com');
    await page.evaluate(() => (window as HostWindow).room.setConsent({ 'vimeo.com': false }));
    const frame = page.frameLocator('enfilade-room iframe');
    await frame.getByRole('button', { name: 'Load content from vimeo.com' }).waitFor();
    expect(await frame.locator('iframe[title="Tube"][src]').count()).toBe(1);
    expect(await frame.locator('#consent').count()).toBe(0);
    await page.evaluate(() => (window as HostWindow).room.setConsent(false));
    await frame.getByRole('button', { name: 'Load content from youtube.com' }).waitFor();
    await nextFrames(page, 60);
    expect(loads).toHaveLength(1);
    await guest.context.close();
    await ask('ask');
  });
});
