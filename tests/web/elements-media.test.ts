import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright';
import type { BufferGeometry, Mesh, MeshBasicMaterial, VideoTexture } from 'three';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BLUNT } from '../harness/browser.ts';
import { pixelAt, pixelsOf } from '../harness/picture.ts';
import { webSuite } from '../harness/web-suite.ts';
import {
  enterUnasked,
  idOf,
  mediaBecomes,
  mediaOf,
  newGuest,
  nextFrames,
  plainRoom,
  publishTree,
  send,
  startStrictBrowser,
  visitTree,
  type Written,
} from './elements/play.ts';

const suite = webSuite();
/** Nobody looks at what films and rooms look like. */
const BLUNTLY = { deviceScaleFactor: BLUNT };
let strict: Browser;
/** Media files by their short names. */
const files: Record<string, number> = {};

beforeAll(async () => {
  strict = await startStrictBrowser();
  for (const [name, path] of Object.entries({
    film: 'morning-film.webm',
    sound: 'chime.wav',
  }))
    files[name] = (await suite.app.upload(`fixtures/media/${path}`)).id;
});
afterAll(() => strict?.close());

const film = (name: string, config: object = {}): Written =>
  ({ element: 'native_video', name, file_id: files.film, width: 320, ignore_light: true, config }) as Written;
const sound = (name: string, config: object = {}): Written =>
  ({ element: 'audio', name, file_id: files.sound, config: { loop: true, ...config } }) as Written;

describe('sound', () => {
  test('plays on entering where it is set to, does what the visitor wants, and says where it is', async () => {
    const guest = await newGuest(suite.app, suite.browser, {}, BLUNTLY);
    const { page } = guest;
    await visitTree(suite.app, guest, [sound('Song', { autoplay: true }), sound('Silent')]);
    const [song, silent] = [await idOf(page, 'Song'), await idOf(page, 'Silent')];
    await mediaBecomes(page, song, { paused: false, muted: false, past: 0.1 });
    expect(await mediaOf(page, silent)).toMatchObject({ paused: true, currentTime: 0 });
    await send(page, { type: 'mute', element_id: song });
    await mediaBecomes(page, song, { muted: true, paused: false });
    await send(page, { type: 'unmute', element_id: song });
    await mediaBecomes(page, song, { muted: false });
    await send(page, { type: 'volume', element_id: song, volume: 25 });
    await nextFrames(page);
    expect((await mediaOf(page, song)).volume).toBeCloseTo(0.25);
    await send(page, { type: 'pause', element_id: song });
    await mediaBecomes(page, song, { paused: true });
    await send(page, { type: 'play', element_id: silent });
    await mediaBecomes(page, silent, { paused: false, past: 0.05 });
    expect([guest.faults, guest.strays]).toEqual([[], []]);
    await guest.close();
  });

  test('that wants to be alone pauses the others', async () => {
    const guest = await newGuest(suite.app, suite.browser, {}, BLUNTLY);
    const { page } = guest;
    await visitTree(suite.app, guest, [sound('First', { autoplay: true }), sound('Alone', { pause_others: true })]);
    const [first, alone] = [await idOf(page, 'First'), await idOf(page, 'Alone')];
    await mediaBecomes(page, first, { paused: false, past: 0.05 });
    await send(page, { type: 'play', element_id: alone });
    await mediaBecomes(page, alone, { paused: false });
    await mediaBecomes(page, first, { paused: true });
    await guest.close();
  });

  test('that can’t be loaded is said once, and is not believed to play', async () => {
    const guest = await newGuest(suite.app, suite.browser, {}, BLUNTLY);
    const { page } = guest;
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    const gone: Written = { element: 'audio', name: 'Gone', config: { file_url: '/media/gone.mp3', autoplay: true } };
    await visitTree(suite.app, guest, [gone]);
    const id = await idOf(page, 'Gone');
    const status = () =>
      page.evaluate((key) => {
        const { scene } = window.enfilade!.stage!;
        return scene.media(scene.entityOf(key)!)!.status;
      }, id);
    const complaints = () => said.filter((text) => text.includes('The file can’t be played')).length;
    await expect.poll(complaints).toBe(1);
    await expect.poll(status).toBe('paused');
    expect(complaints()).toBe(1);
    // Whoever wants it again has it asked for again.
    const again = page.waitForResponse((response) => response.url().endsWith('/media/gone.mp3'));
    await send(page, { type: 'play', element_id: id });
    await again;
    await expect.poll(status).toBe('paused');
    expect(complaints()).toBe(1);
    await guest.close();
  });

  test('loops where it is set to, and otherwise ends', async () => {
    const guest = await newGuest(suite.app, suite.browser, {}, BLUNTLY);
    const { page } = guest;
    await visitTree(suite.app, guest, [
      sound('Round', { autoplay: true }),
      sound('Once', { autoplay: true, loop: false }),
    ]);
    const [round, once] = [await idOf(page, 'Round'), await idOf(page, 'Once')];
    await mediaBecomes(page, round, { paused: false, past: 0.3 });
    await mediaBecomes(page, round, { paused: false, before: 0.3 });
    await page.waitForFunction((id) => {
      const scene = window.enfilade!.stage!.scene;
      return scene.media(scene.entityOf(id)!)!.status === 'ended';
    }, once);
    expect((await mediaOf(page, once)).paused).toBe(true);
    await guest.close();
  });

  test('that the browser refuses is offered: films play muted till then, and a first wish gives all their sound', async () => {
    const guest = await newGuest(suite.app, strict);
    const { page } = guest;
    const elements = [sound('Song', { autoplay: true }), film('Film', { autoplay: true, loop: true })];
    await enterUnasked(page, suite.app.origin + (await publishTree(suite.app, plainRoom, elements)));
    const [song, shown] = [await idOf(page, 'Song'), await idOf(page, 'Film')];
    await mediaBecomes(page, shown, { paused: false, muted: true });
    expect((await mediaOf(page, song)).muted).toBe(true);
    await page.getByRole('button', { name: 'Tap to unmute' }).click();
    for (const id of [song, shown]) await mediaBecomes(page, id, { paused: false, muted: false, past: 0 });
    await page.waitForFunction(() => !window.enfilade!.state.mutedFallback);
    expect(guest.faults).toEqual([]);
    await guest.context.close();
  });
});

describe('film in the room', () => {
  test('plays on a plane, is muted and sought by the room, and costs no frames while it stands still', async () => {
    const guest = await newGuest(suite.app, suite.browser);
    const { page } = guest;
    await visitTree(suite.app, guest, [film('Film', { autoplay: true, loop: true })]);
    const id = await idOf(page, 'Film');
    await mediaBecomes(page, id, { paused: false, past: 0.3 });
    await nextFrames(page, 10);
    const first = await pixelsOf(page);
    await send(page, { type: 'seek', element_id: id, at: 3 });
    await mediaBecomes(page, id, { past: 2.9, before: 8 });
    await send(page, { type: 'mute', element_id: id });
    await mediaBecomes(page, id, { muted: true });
    await nextFrames(page, 10);
    const second = await pixelsOf(page);
    expect(pixelAt(first, 240, 150)).not.toEqual([20, 23, 28]);
    expect(first.data.equals(second.data)).toBe(false);
    await send(page, { type: 'pause', element_id: id });
    await mediaBecomes(page, id, { paused: true });
    await nextFrames(page, 30);
    const before = await page.evaluate(() => window.enfilade!.stage!.frames);
    await nextFrames(page, 60);
    expect(await page.evaluate(() => window.enfilade!.stage!.frames)).toBe(before);
    expect([guest.faults, guest.strays]).toEqual([[], []]);
    await guest.close();
  });

  test('plays on the named meshes of a model, and is refused where none has the name', async () => {
    const { url } = await suite.app.upload('fixtures/media/gallery.glb');
    const guest = await newGuest(suite.app, suite.browser, {}, BLUNTLY);
    const { page } = guest;
    const on = { autoplay: true, muted: true, loop: true, model_file_url: url };
    await visitTree(suite.app, guest, [
      { ...film('Gallery', { ...on, model_mesh_selector: 'floor, Nobody' }), width: 300, height: 300, depth: 300 },
      film('Nowhere', { ...on, model_mesh_selector: 'Nobody' }),
    ]);
    await mediaBecomes(page, await idOf(page, 'Gallery'), { paused: false, past: 0.3 });
    await page.waitForFunction(() => {
      let count = 0;
      window.enfilade!.stage!.three.traverse((node) => {
        const { material } = node as Partial<Mesh<BufferGeometry, MeshBasicMaterial>>;
        if ((material?.map as Partial<VideoTexture> | null | undefined)?.isVideoTexture) count++;
      });
      return count > 0;
    });
    expect(await page.locator('[data-media]').count()).toBe(1);
    await guest.close();
  });

  test('opens over the whole page with the setting, shows its subtitles’ lines, and goes back', async () => {
    const { url: link } = await suite.app.upload('fixtures/media/morning-film.en.vtt');
    const text_tracks = [{ language: 'en', link, type: 'subtitles' }];
    const guest = await newGuest(suite.app, suite.browser);
    const { page } = guest;
    await visitTree(suite.app, guest, [
      film('Film', { fullscreen: true, loop: true, text_tracks, default_text_track: 'en' }),
    ]);
    const id = await idOf(page, 'Film');
    await page.mouse.click(240, 150);
    await page.locator(`[data-media="${id}"][data-fullpage]`).waitFor();
    await mediaBecomes(page, id, { paused: false });
    expect(await page.locator(`[data-media="${id}"]`).boundingBox()).toEqual({ x: 0, y: 0, width: 480, height: 300 });
    expect(await page.evaluate(() => window.enfilade!.state.fullPage)).toBe(id);
    await page.evaluate((key) => {
      const video = document.querySelector<HTMLVideoElement>(`[data-media="${key}"]`)!;
      video.dispatchEvent(new Event('cuechange'));
      video.textTracks[0]!.addCue(new VTTCue(0, 1000, 'Said <i>now</i>'));
    }, id);
    await page.waitForFunction(() => window.enfilade!.state.cues.includes('Said now'));
    await page.addStyleTag({ content: '#overlay { display: block !important }' });
    await page.getByRole('button', { name: 'Close video' }).click();
    await page.locator(`[data-media="${id}"]:not([data-fullpage])`).waitFor({ state: 'attached' });
    expect(guest.faults).toEqual([]);
    await guest.close();
  });

  test('plays an HLS playlist through Media Source Extensions wherever they exist', async () => {
    const at = 'https://stream.example/live/';
    const playlist = [
      '#EXTM3U',
      '#EXT-X-VERSION:3',
      '#EXT-X-TARGETDURATION:6',
      '#EXTINF:5,',
      'part.mp3',
      '#EXT-X-ENDLIST',
    ];
    const guest = await newGuest(suite.app, suite.browser, {
      [`${at}list.m3u8`]: { body: playlist.join('\n'), type: 'application/vnd.apple.mpegurl' },
      // An address says nothing of what it leads to; the element's type does.
      [`${at}list`]: { body: playlist.join('\n'), type: 'application/vnd.apple.mpegurl' },
      [`${at}part.mp3`]: { body: await readFile('fixtures/media/night-water.mp3'), type: 'audio/mpeg' },
    });
    const { page } = guest;
    await visitTree(suite.app, guest, [
      { element: 'native_video', name: 'Stream', config: { src: `${at}list.m3u8`, autoplay: true, muted: true } },
      {
        element: 'live_stream',
        name: 'Live',
        position_x: 300,
        config: { type: 'wowza_live', src: `${at}list.m3u8`, muted: true },
      },
      {
        element: 'video',
        name: 'Film',
        position_x: -300,
        config: {
          type: 'local',
          file_url: `${at}list`,
          mime: 'application/vnd.apple.mpegurl',
          autoplay: true,
          muted: true,
        },
      },
    ]);
    for (const name of ['Stream', 'Live', 'Film']) await mediaBecomes(page, await idOf(page, name), { past: 0.2 });
    const sources = await page
      .locator('[data-media]')
      .evaluateAll((all) => all.map((each) => (each as HTMLVideoElement).src.slice(0, 5)));
    expect(sources).toEqual(['blob:', 'blob:', 'blob:']);
    expect([guest.faults, guest.strays]).toEqual([[], []]);
    await guest.context.close();
  });
});

describe('a broadcast', () => {
  test('that has not begun is asked for until it has, and that is said once', async () => {
    const at = 'https://stream.example/later/';
    const list = '#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:6\n#EXTINF:5,\npart.mp3\n#EXT-X-ENDLIST';
    const guest = await newGuest(suite.app, suite.browser, {
      [`${at}part.mp3`]: { body: await readFile('fixtures/media/night-water.mp3'), type: 'audio/mpeg' },
    });
    const { page } = guest;
    let begun = false;
    let asked = 0;
    await page.route(`${at}list.m3u8`, (route) => {
      asked++;
      const headers = { 'access-control-allow-origin': '*' };
      return begun
        ? route.fulfill({ body: list, contentType: 'application/vnd.apple.mpegurl', headers })
        : route.fulfill({ status: 404, headers });
    });
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    await page.clock.install();
    const live = { type: 'wowza_live', src: `${at}list.m3u8`, muted: true } as const;
    await visitTree(suite.app, guest, [{ element: 'live_stream', name: 'Live', config: live }]);
    const failures = () => said.filter((text) => text.includes('The broadcast hasn’t started yet.')).length;
    await expect.poll(failures, { timeout: 20_000 }).toBe(1);
    const before = asked;
    await page.clock.fastForward(11_000);
    await expect.poll(() => asked).toBeGreaterThan(before);
    begun = true;
    await page.clock.fastForward(11_000);
    await mediaBecomes(page, await idOf(page, 'Live'), { past: 0.2 });
    expect(failures()).toBe(1);
    await guest.context.close();
  });
});

describe('leaving', () => {
  test('stops everything that plays, and ten visits leave the memory of one', async () => {
    const bvh = await suite.app.upload('fixtures/media/greeting.bvh');
    const guest = await newGuest(suite.app, suite.browser, {}, BLUNTLY);
    const { page } = guest;
    await visitTree(suite.app, guest, [
      sound('Song', { autoplay: true }),
      film('Film', { autoplay: true, loop: true, muted: true }),
      {
        element: 'video',
        name: 'Page',
        file_id: files.film,
        position_x: -400,
        config: { type: 'local', autoplay: true },
      },
      { element: 'motion', name: 'Dance', file_id: bvh.id, height: 200 },
      { element: 'image', name: 'None', hidden: true },
    ]);
    const revisit = () =>
      page.evaluate(async () => {
        const old = [...document.querySelectorAll<HTMLMediaElement>('audio, video')];
        const { endpoint } = JSON.parse(document.getElementById('visit')!.textContent!);
        await window.enfilade!.open({ endpoint, at: performance.now() });
        // Sound fades while the next room appears.
        for (let i = 0; i < 60; i++) await new Promise(requestAnimationFrame);
        const left = old.filter((media) => !media.paused || media.isConnected || media.getAttribute('src')).length;
        const films = () => [...document.querySelectorAll<HTMLVideoElement>('video')];
        while (films().some((media) => media.readyState < 2)) await new Promise(requestAnimationFrame);
        for (let i = 0; i < 10; i++) await new Promise(requestAnimationFrame);
        return { left, ...window.enfilade!.stage!.memory, media: document.querySelectorAll('audio, video').length };
      });
    await revisit();
    const once = await revisit();
    expect(once.left).toBe(0);
    for (let i = 0; i < 10; i++) expect(await revisit()).toEqual(once);
    expect([guest.faults, guest.strays]).toEqual([[], []]);
    await guest.close();
  }, 180_000);
});

describe('where a player is', () => {
  test('is told every 100 ms while it plays, and not at all while it is paused', async () => {
    const guest = await newGuest(suite.app, suite.browser, {}, BLUNTLY);
    const { page } = guest;
    await visitTree(suite.app, guest, [film('Film', { autoplay: true, muted: true, loop: true })]);
    const id = await idOf(page, 'Film');
    await mediaBecomes(page, id, { paused: false, past: 0.1 });
    const toldIn = (milliseconds: number) =>
      page.evaluate(async (time) => {
        const { room } = window.enfilade!.stage!;
        const moments: number[] = [];
        room.send = (input) => {
          if (input.type === 'progress') moments.push(performance.now());
          Object.getPrototypeOf(room).send.call(room, input);
        };
        await new Promise((resolve) => setTimeout(resolve, time));
        return moments.slice(1).map((moment, index) => moment - moments[index]!);
      }, milliseconds);
    const pauses = (await toldIn(3000)).sort((a, b) => a - b);
    expect(pauses.length).toBeGreaterThan(10);
    // The browser's own `timeupdate` comes every 250 ms.
    expect(pauses[pauses.length >> 1]).toBeGreaterThan(80);
    expect(pauses[pauses.length >> 1]).toBeLessThan(180);
    await send(page, { type: 'pause', element_id: id });
    await mediaBecomes(page, id, { paused: true });
    expect(await toldIn(500)).toEqual([]);
    await guest.close();
  });
});
