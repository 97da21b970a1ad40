import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBrowser } from '../harness/browser.ts';
import { colourCount, pixelAt, pixelsOf } from '../harness/picture.ts';
import { startWebApp, type WebApp } from '../harness/web-app.ts';
import { zipOf } from '../harness/zip.ts';
import {
  asset,
  hasOpenAssets,
  idOf,
  newGuest,
  nextFrames,
  plainRoom,
  sayIfAbsent,
  send,
  standIn,
  visitTree,
  type Written,
} from './elements/play.ts';

sayIfAbsent();

let app: WebApp;
let browser: Browser;

beforeAll(async () => {
  [app, browser] = await Promise.all([startWebApp(), startBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
});

/** Uploads a zipped page. */
async function uploadSite(body: string): Promise<number> {
  const path = join(tmpdir(), `enfilade-site-${process.pid}.zip`);
  await writeFile(path, zipOf([{ name: 'index.html', content: body }]));
  const { id } = await app.upload(path);
  await rm(path);
  return id;
}

describe('pages in the room', () => {
  test('an unpacked zip shows its page, and runs without this site’s origin', async () => {
    const script = `
      let said = origin;
      try { said += ' ' + localStorage.length } catch { said += ' no storage' }
      try { said += ' ' + parent.document.title } catch { said += ' no parent' }
      console.info('framed:', said);`;
    const file_id = await uploadSite(standIn('#00ff00', script));
    const guest = await newGuest(app, browser);
    const said = guest.page.waitForEvent('console', (message) => message.text().startsWith('framed:'));
    await visitTree(app, guest, [{ element: 'iframe', name: 'Uploaded', file_id, width: 320, height: 200 }]);
    expect((await said).text()).toBe('framed: null no storage no parent');
    const frame = guest.page.locator('iframe[title="Uploaded"]');
    expect(await frame.getAttribute('sandbox')).not.toContain('allow-same-origin');
    await nextFrames(guest.page, 10);
    expect(pixelAt(await pixelsOf(guest.page), 240, 150)).toEqual([0, 255, 0]);
    expect([guest.faults, guest.strays]).toEqual([[], []]);
    await guest.context.close();
  });

  test('a page of another site keeps that site’s origin and is named', async () => {
    const guest = await newGuest(app, browser, {
      'https://other.example/': { body: standIn('#0000ff'), type: 'text/html' },
    });
    await visitTree(app, guest, [
      { element: 'iframe', name: 'Other', width: 320, height: 200, config: { src: 'https://other.example/page' } },
    ]);
    const frame = guest.page.locator('iframe[title="Other"]');
    expect(await frame.getAttribute('sandbox')).toContain('allow-same-origin');
    expect(await frame.getAttribute('loading')).toBe('lazy');
    await nextFrames(guest.page, 10);
    expect(pixelAt(await pixelsOf(guest.page), 240, 150)).toEqual([0, 0, 255]);
    expect([guest.faults, guest.strays]).toEqual([[], []]);
    await guest.context.close();
  });
});

/** What a platform's player does, in small: it greets, notes what it is told, and says that it plays. */
const player = (ready: string, heard: string) =>
  standIn(
    '#ff0000',
    `let told = [];
     addEventListener('message', ({ data }) => {
       const message = JSON.parse(data);
       told.push(message.func ?? message.method ?? message.event);
       if (told.length === 1) parent.postMessage(JSON.stringify(${ready}), '*');
       document.title = told.join(' ');
       if (told.at(-1) === '${heard}') console.info('player: ' + told.join(' '));
     });`,
  );

describe('players of other sites', () => {
  test('YouTube gets its documented address, and plays, pauses and mutes by messages', async () => {
    const guest = await newGuest(app, browser, {
      'https://www.youtube-nocookie.com/': { body: player(`{ event: 'onReady' }`, 'pauseVideo'), type: 'text/html' },
    });
    const { page } = guest;
    const said = page.waitForEvent('console', (message) => message.text().startsWith('player:'));
    await visitTree(app, guest, [
      { element: 'video', name: 'Tube', config: { type: 'youtube', id: 'abc_DEF-123', muted: true, autoplay: true } },
    ]);
    const source = new URL((await page.locator('iframe[title="Tube"]').getAttribute('src'))!);
    expect(source.origin + source.pathname).toBe('https://www.youtube-nocookie.com/embed/abc_DEF-123');
    expect(Object.fromEntries(source.searchParams)).toMatchObject({ enablejsapi: '1', mute: '1', origin: app.origin });
    await nextFrames(page, 10);
    await send(page, { type: 'pause', element_id: await idOf(page, 'Tube') });
    const told = (await said).text();
    for (const word of ['listening', 'addEventListener', 'mute', 'playVideo', 'pauseVideo'])
      expect(told).toContain(word);
    expect([guest.faults, guest.strays]).toEqual([[], []]);
    await guest.context.close();
  });

  test('Vimeo gets its documented address, and what its own controls do reaches the room', async () => {
    const guest = await newGuest(app, browser, {
      'https://player.vimeo.com/': { body: player(`{ event: 'ready' }`, 'play'), type: 'text/html' },
    });
    const { page } = guest;
    const said = page.waitForEvent('console', (message) => message.text().startsWith('player:'));
    await visitTree(app, guest, [
      { element: 'video', name: 'Film', config: { type: 'vimeo', id: '76979871/abc', loop: true, autoplay: true } },
    ]);
    const source = new URL((await page.locator('iframe[title="Film"]').getAttribute('src'))!);
    expect(source.origin + source.pathname).toBe('https://player.vimeo.com/video/76979871');
    expect(Object.fromEntries(source.searchParams)).toMatchObject({ h: 'abc', loop: '1', muted: '0', dnt: '1' });
    await said;
    const frame = page.frames().find((each) => each.url().startsWith('https://player.vimeo.com/'))!;
    await frame.evaluate(() => parent.postMessage({ event: 'pause' }, '*'));
    const id = await idOf(page, 'Film');
    await page.waitForFunction((key) => {
      const { scene } = window.enfilade!.stage!;
      return scene.media(scene.entityOf(key)!)!.status === 'paused';
    }, id);
    expect([guest.faults, guest.strays]).toEqual([[], []]);
    await guest.context.close();
  });

  test('live streams are shown by their platform’s own player', async () => {
    const blank = { body: standIn('#ff00ff'), type: 'text/html' };
    const guest = await newGuest(app, browser, {
      'https://www.youtube-nocookie.com/': blank,
      'https://player.vimeo.com/': blank,
      'https://vimeo.com/': blank,
    });
    const live = (name: string, type: string, at: number) =>
      ({ element: 'live_stream', name, width: 200, position_x: at, config: { type, id: '42' } }) as Written;
    await visitTree(app, guest, [live('A', 'youtube_live', -220), live('B', 'vimeo', 0), live('C', 'vimeo_live', 220)]);
    const sources = await guest.page
      .locator('iframe')
      .evaluateAll((frames) =>
        Object.fromEntries(
          frames.map((frame) => [(frame as HTMLIFrameElement).title, (frame as HTMLIFrameElement).src.split('?')[0]]),
        ),
      );
    expect(sources).toEqual({
      A: 'https://www.youtube-nocookie.com/embed/42',
      B: 'https://player.vimeo.com/video/42',
      C: 'https://vimeo.com/event/42/embed',
    });
    expect([guest.faults, guest.strays]).toEqual([[], []]);
    await guest.context.close();
  });
});

describe('pictures and groups', () => {
  test('a picture’s title, author and date stand beside it, on the side and in the colour that are set', async () => {
    const { id } = await app.upload('fixtures/media/panorama-poster.jpg');
    const words = { title: 'Red title', author: 'Somebody', date: '2024', title_color: '#FF0000', title_size: 30 };
    const picture = (title_alignment: string): Written =>
      ({
        element: 'image',
        file_id: id,
        width: 150,
        height: 150,
        ignore_light: true,
        config: { ...words, title_alignment },
      }) as Written;
    const reds: Record<string, [number, number]> = {};
    for (const side of ['left', 'right']) {
      const guest = await newGuest(app, browser);
      await visitTree(app, guest, [picture(side)]);
      await nextFrames(guest.page, 5);
      const { width, height, data } = await pixelsOf(guest.page);
      const count: [number, number] = [0, 0];
      for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) {
          const at = (y * width + x) * 3;
          if (data[at]! > 200 && data[at + 1]! < 60 && data[at + 2]! < 60) count[x < width / 2 ? 0 : 1]++;
        }
      reds[side] = count;
      expect([guest.faults, guest.strays]).toEqual([[], []]);
      await guest.context.close();
    }
    expect(reds.left![0]).toBeGreaterThan(100);
    expect(reds.left![1]).toBe(0);
    expect(reds.right![1]).toBeGreaterThan(100);
    expect(reds.right![0]).toBe(0);
  });

  test('a press inside a slider opens it, at what was pressed; a feed fills a group with pictures', async () => {
    const { id, url } = await app.upload('fixtures/media/panorama-poster.jpg');
    const guest = await newGuest(app, browser);
    const { page } = guest;
    const picture = (name: string, x: number): Written => ({
      element: 'image',
      name,
      file_id: id,
      width: 150,
      position_x: x,
    });
    await visitTree(app, guest, [
      {
        element: 'group',
        name: 'Slider',
        config: { slider_enabled: true },
        children: [picture('One', -100), picture('Two', 100)],
      },
      { element: 'group', name: 'Feed', position_y: 500, config: { feed_enabled: true, feed_layout: 'fixed' } },
    ]);
    await page.mouse.click(320, 150);
    const state = () => page.evaluate(() => window.enfilade!.stage!.scene.state());
    await expect
      .poll(async () => (await state()).slider)
      .toEqual({
        element_id: await idOf(page, 'Slider'),
        slide: await idOf(page, 'Two'),
      });
    const before = await page.evaluate(() => window.enfilade!.stage!.memory.views);
    const items = [
      { file_url: url, title: 'First' },
      { file_url: url, author: 'Second' },
    ];
    await send(page, { type: 'feed', element_id: await idOf(page, 'Feed'), items });
    await page.waitForFunction((count) => window.enfilade!.stage!.memory.views === count + 2, before);
    await send(page, { type: 'feed', element_id: await idOf(page, 'Feed'), items: [] });
    await page.waitForFunction((count) => window.enfilade!.stage!.memory.views === count, before);
    expect([guest.faults, guest.strays]).toEqual([[], []]);
    await guest.context.close();
  });

  test('other visitors are drawn as discs, or as the room’s model, until they are gone', async () => {
    const { id } = await app.upload('fixtures/media/orrery.glb');
    const look = { ...plainRoom.config, realtime: true };
    for (const config of [look, { ...look, realtime_file_id: id, realtime_scale: { x: 60, y: 60, z: 60 } }]) {
      const guest = await newGuest(app, browser);
      const { page } = guest;
      await visitTree(app, guest, [], { ...plainRoom, config });
      const before = await pixelsOf(page);
      const empty = colourCount(before);
      const colours = async () => colourCount(await pixelsOf(page));
      // Sent again and again, as a visitor who stays does: a marker is gone after some seconds of silence.
      const seen = async () => {
        await send(page, { type: 'presence', ref: 'somebody', x: 0, y: 0, z: 0 });
        return colours();
      };
      await expect.poll(seen, { timeout: 40_000 }).toBeGreaterThan(empty);
      await page.waitForFunction(() => window.enfilade!.stage!.scene.state().markers === undefined);
      await expect.poll(colours, { timeout: 20_000 }).toBe(empty);
      expect([guest.faults, guest.strays]).toEqual([[], []]);
      await guest.context.close();
    }
  });
});

describe('what can’t be drawn', () => {
  test('is logged and skipped: without a file, and of a type that nobody knows', async () => {
    const guest = await newGuest(app, browser);
    const { page } = guest;
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    const without = ['image', 'model', 'audio', 'native_video', 'iframe', 'motion', 'live_stream'] as const;
    await visitTree(app, guest, [
      ...without.map((element) => ({ element, name: element }) as Written),
      { element: 'video', config: { type: 'local' } },
      { element: 'text', name: 'Still there', position_y: -40, config: { text: 'Here' } },
    ]);
    for (const word of ['image', 'model', 'audio', 'video', 'frame', 'motion', 'live stream'])
      expect(said.join('\n')).toMatch(new RegExp(`The ${word} has no`));
    expect(await page.evaluate(() => window.enfilade!.stage!.memory.views)).toBe(1);
    await page.evaluate(() => {
      const { endpoint } = JSON.parse(document.getElementById('visit')!.textContent!);
      endpoint.room.elements[0].element = 'hologram';
      window.enfilade!.open(endpoint);
    });
    await expect.poll(() => said.join('\n')).toMatch(/Invalid element/);
    expect([guest.faults, guest.strays]).toEqual([[], []]);
    await guest.context.close();
  });
});

describe.skipIf(!hasOpenAssets)('letters', () => {
  const fonts = [
    'helvetiker_regular.typeface.json',
    'newsreader_9pt_regular.ttf',
    'EBGaramond12-Regular.otf',
    'Amiri-Regular.woff2',
  ];

  test.each(fonts)('of %s are drawn', async (name) => {
    const font = await app.upload(asset(`font/${name}`));
    // A packed font is kept unpacked.
    expect(font.url).not.toMatch(/woff2$/);
    const guest = await newGuest(app, browser);
    const text = { element: 'text', file_id: font.id, ignore_light: true } as const;
    await visitTree(app, guest, [{ ...text, config: { text: 'Room', color: '#FF0000' } }]);
    await nextFrames(guest.page, 5);
    const { data } = await pixelsOf(guest.page);
    let red = 0;
    for (let at = 0; at < data.length; at += 3) if (data[at]! > 150 && data[at + 1]! < 80) red++;
    expect(red).toBeGreaterThan(500);
    expect([guest.faults, guest.strays]).toEqual([[], []]);
    await guest.context.close();
  });
});
