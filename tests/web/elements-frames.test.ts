import { describe, expect, test } from 'vitest';
import { pixelAt, pixelsOf } from '../harness/picture.ts';
import { webSuite } from '../harness/web-suite.ts';
import { idOf, newGuest, nextFrames, send, standIn, uploadSite, visitTree, type Written } from './elements/play.ts';

const suite = webSuite();

describe('pages in the room', () => {
  test('an unpacked zip shows its page, and runs without this site’s origin', async () => {
    const script = `
      let said = origin;
      try { said += ' ' + localStorage.length } catch { said += ' no storage' }
      try { said += ' ' + parent.document.title } catch { said += ' no parent' }
      console.info('framed:', said);`;
    const file_id = await uploadSite(suite.app, standIn('#00ff00', script));
    const guest = await newGuest(suite.app, suite.browser);
    const said = guest.page.waitForEvent('console', (message) => message.text().startsWith('framed:'));
    await visitTree(suite.app, guest, [{ element: 'iframe', name: 'Uploaded', file_id, width: 320, height: 200 }]);
    expect((await said).text()).toBe('framed: null no storage no parent');
    const frame = guest.page.locator('iframe[title="Uploaded"]');
    expect(await frame.getAttribute('sandbox')).not.toContain('allow-same-origin');
    await expect.poll(async () => pixelAt(await pixelsOf(guest.page), 240, 150)).toEqual([0, 255, 0]);
    expect([guest.faults, guest.strays]).toEqual([[], []]);
    await guest.close();
  });

  test('a page of another site keeps that site’s origin and is named', async () => {
    const guest = await newGuest(suite.app, suite.browser, {
      'https://other.example/': { body: standIn('#0000ff'), type: 'text/html' },
    });
    await visitTree(suite.app, guest, [
      { element: 'iframe', name: 'Other', width: 320, height: 200, config: { src: 'https://other.example/page' } },
    ]);
    const frame = guest.page.locator('iframe[title="Other"]');
    expect(await frame.getAttribute('sandbox')).toContain('allow-same-origin');
    expect(await frame.getAttribute('loading')).toBe('lazy');
    await expect.poll(async () => pixelAt(await pixelsOf(guest.page), 240, 150)).toEqual([0, 0, 255]);
    expect([guest.faults, guest.strays]).toEqual([[], []]);
    await guest.close();
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

test('a page without a background of its own is black on white, as in the browser', async () => {
  const guest = await newGuest(suite.app, suite.browser);
  const file_id = await uploadSite(suite.app, '<!doctype html><p>Words</p>');
  await visitTree(suite.app, guest, [{ element: 'iframe', file_id, width: 320, height: 200 }]);
  await expect.poll(async () => pixelAt(await pixelsOf(guest.page), 240, 180)).toEqual([255, 255, 255]);
  await guest.close();
});

describe('players of other sites', () => {
  test('one that covers the page does so whichever way the visitor looks', async () => {
    const guest = await newGuest(suite.app, suite.browser, {
      'https://www.youtube-nocookie.com/': { body: standIn('#ff0000'), type: 'text/html' },
    });
    const { page } = guest;
    await visitTree(suite.app, guest, [{ element: 'video', name: 'Tube', config: { type: 'youtube', id: 'abc' } }]);
    await page.evaluate(() => {
      const { rig } = window.enfilade!.stage!;
      rig.moveTo({ x: -200, y: 50, z: 300 }, { x: 100, y: 0, z: 0 }, undefined, false);
    });
    await send(page, { type: 'fullpage', element_id: await idOf(page, 'Tube'), on: true });
    await page.locator('.stage-video[data-fullpage]').waitFor();
    await nextFrames(page);
    expect(await page.locator('.stage-video').boundingBox()).toEqual({ x: 0, y: 0, width: 480, height: 300 });
    expect([guest.faults, guest.strays]).toEqual([[], []]);
    await guest.close();
  });

  test('YouTube gets its documented address, and plays, pauses and mutes by messages', async () => {
    const guest = await newGuest(suite.app, suite.browser, {
      'https://www.youtube-nocookie.com/': { body: player(`{ event: 'onReady' }`, 'pauseVideo'), type: 'text/html' },
    });
    const { page } = guest;
    const said = page.waitForEvent('console', (message) => message.text().startsWith('player:'));
    await visitTree(suite.app, guest, [
      { element: 'video', name: 'Tube', config: { type: 'youtube', id: 'abc_DEF-123', muted: true, autoplay: true } },
    ]);
    const source = new URL((await page.locator('iframe[title="Tube"]').getAttribute('src'))!);
    expect(source.origin + source.pathname).toBe('https://www.youtube-nocookie.com/embed/abc_DEF-123');
    expect(Object.fromEntries(source.searchParams)).toMatchObject({
      enablejsapi: '1',
      mute: '1',
      origin: suite.app.origin,
    });
    const frame = () => page.frames().find((each) => each.url().startsWith('https://www.youtube-nocookie.com/'))!;
    await expect.poll(() => frame().title()).toContain('playVideo');
    await send(page, { type: 'pause', element_id: await idOf(page, 'Tube') });
    const told = (await said).text();
    for (const word of ['listening', 'addEventListener', 'mute', 'playVideo', 'pauseVideo'])
      expect(told).toContain(word);
    // One that loads anew is told again what it should be doing.
    const id = await idOf(page, 'Tube');
    await send(page, { type: 'play', element_id: id });
    // What is on its way to the page that goes would reach the one that comes.
    await expect.poll(() => frame().title()).toMatch(/playVideo .*playVideo$/);
    await frame().evaluate(() => location.reload());
    await expect.poll(() => frame().title()).toMatch(/^listening .*mute setVolume (?:seekTo )?playVideo$/);
    expect([guest.faults, guest.strays]).toEqual([[], []]);
    await guest.close();
  });

  test('Vimeo gets its documented address, and what its own controls do reaches the room', async () => {
    const guest = await newGuest(suite.app, suite.browser, {
      'https://player.vimeo.com/': { body: player(`{ event: 'ready' }`, 'play'), type: 'text/html' },
    });
    const { page } = guest;
    const said = page.waitForEvent('console', (message) => message.text().startsWith('player:'));
    await visitTree(suite.app, guest, [
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
    await guest.close();
  });

  test('live streams are shown by their platform’s own player', async () => {
    const blank = { body: standIn('#ff00ff'), type: 'text/html' };
    const guest = await newGuest(suite.app, suite.browser, {
      'https://www.youtube-nocookie.com/': blank,
      'https://player.vimeo.com/': blank,
      'https://vimeo.com/': blank,
    });
    const live = (name: string, type: string, at: number) =>
      ({ element: 'live_stream', name, width: 200, position_x: at, config: { type, id: '42' } }) as Written;
    await visitTree(suite.app, guest, [
      live('A', 'youtube_live', -220),
      live('B', 'vimeo', 0),
      live('C', 'vimeo_live', 220),
    ]);
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
    await guest.close();
  });
});
