import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { enterRoom, newVisitor } from '../harness/browser.ts';
import { makeFilm } from '../harness/film.ts';
import { webSuite } from '../harness/web-suite.ts';
import { idOf, mediaBecomes, newGuest, publishTree, standIn, uploadSite, type Written } from './elements/play.ts';

const suite = webSuite();
let folder: string;
let film: string;
let sound: string;
let site: number;
let model: number;
let triangle: number;

/** Two seconds of silence: a WAV file of 8,000 samples a second, 8 bits each. */
function silence(): Buffer {
  const samples = Buffer.alloc(16_000, 128);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

/** One triangle as GLB. */
function triangleModel(): Buffer {
  const corners = Buffer.from(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]).buffer);
  const json = JSON.stringify({
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    buffers: [{ byteLength: corners.length }],
    bufferViews: [{ buffer: 0, byteLength: corners.length }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] }],
  });
  const text = Buffer.from(json.padEnd(Math.ceil(json.length / 4) * 4));
  const words = (...values: number[]) => Buffer.from(new Uint32Array(values).buffer);
  const length = 12 + 8 + text.length + 8 + corners.length;
  const chunks = [words(text.length, 0x4e4f534a), text, words(corners.length, 0x004e4942), corners];
  return Buffer.concat([words(0x46546c67, 2, length), ...chunks]);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'enfilade-near-'));
  await Promise.all([
    writeFile(join(folder, 'film.mp4'), makeFilm()),
    writeFile(join(folder, 'silence.wav'), silence()),
  ]);
  film = (await suite.app.upload(join(folder, 'film.mp4'))).url;
  sound = (await suite.app.upload(join(folder, 'silence.wav'))).url;
  site = await uploadSite(suite.app, standIn('teal'));
  await writeFile(join(folder, 'triangle.glb'), triangleModel());
  model = (await suite.app.upload('fixtures/media/orrery.glb')).id;
  triangle = (await suite.app.upload(join(folder, 'triangle.glb'))).id;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const hall = {
  width: 2000,
  height: 1000,
  depth: 100_000,
  config: { camera: { position: { x: 0, y: 0, z: 0 }, angle: { x: 0, y: 0, z: -1 } } },
};

/** What of a file with numbered addresses was asked for. */
function watch(page: Page, url: string): Set<number> {
  const asked = new Set<number>();
  page.on('request', (request) => {
    const address = new URL(request.url());
    if (address.pathname === url) asked.add(Number(address.searchParams.get('n')));
  });
  return asked;
}

const goTo = (page: Page, z: number) =>
  page.evaluate((place) => {
    window.enfilade!.stage!.rig.moveTo({ x: 0, y: 0, z: place }, undefined, undefined, false);
    window.enfilade!.stage!.invalidate();
  }, z);
/** Waits until the room has looked again who is near. */
async function looksAgain(page: Page): Promise<void> {
  const time = () => window.enfilade!.stage!.scene.state().time;
  const before = await page.evaluate(time);
  await page.waitForFunction((past) => window.enfilade!.stage!.scene.state().time > past + 0.5, before);
}

describe('what is heavy', () => {
  test('of 30 films in a row, a visitor fetches those that are near, and others on coming near them', async () => {
    const films = Array.from({ length: 30 }, (_, index): Written => {
      const element = index % 2 === 0 ? ('native_video' as const) : ('video' as const);
      const config = element === 'video' ? { type: 'local' as const } : {};
      return {
        element,
        name: `Film ${index}`,
        width: 320,
        height: 180,
        position_z: -600 - index * 1500,
        config: { ...config, file_url: `${film}?n=${index}` },
      } as Written;
    });
    const path = await suite.app.publish(hall, films);
    const { page, close } = await newVisitor(suite.browser);
    const asked = watch(page, film);
    await enterRoom(page, suite.app.origin + path);
    await looksAgain(page);
    expect([...asked]).toEqual([0]);
    for (const film of [7, 20]) {
      await goTo(page, -600 - film * 1500 + 200);
      await expect.poll(() => asked.has(film)).toBe(true);
    }
    await goTo(page, 0);
    await looksAgain(page);
    // Once there they stay; nothing is asked for on the way back.
    expect([...asked].sort((a, b) => a - b)).toEqual([0, 7, 20]);
    await close();
  });

  test('what begins by itself plays wherever it is, and what a visitor asks to play is fetched for it', async () => {
    const far = { position_z: -20_000, width: 320, height: 180 };
    const path = await suite.app.publish(hall, [
      { element: 'audio', name: 'Begins', ...far, config: { file_url: `${sound}?n=1`, autoplay: true, loop: true } },
      { element: 'audio', name: 'Waits', ...far, config: { file_url: `${sound}?n=2`, loop: true } },
      {
        element: 'audio',
        name: 'Sensor',
        ...far,
        config: { file_url: `${sound}?n=3`, autoplay: true, loop: true, proximity_sensor: true },
      },
    ] as Written[]);
    const { page, close, faults } = await newVisitor(suite.browser);
    const asked = watch(page, sound);
    await enterRoom(page, suite.app.origin + path);
    await mediaBecomes(page, await idOf(page, 'Begins'), { paused: false, past: 0.1 });
    expect([...asked]).toEqual([1]);
    const waits = await idOf(page, 'Waits');
    await page.evaluate((id) => window.enfilade!.send({ type: 'play', element_id: id }), waits);
    await mediaBecomes(page, waits, { paused: false, past: 0.1 });
    expect([...asked]).toEqual([1, 2]);
    // On the way to a sensor the file comes before the sensor notices anybody.
    await goTo(page, -18_600);
    await expect.poll(() => asked.has(3)).toBe(true);
    await mediaBecomes(page, await idOf(page, 'Sensor'), { paused: true });
    await goTo(page, -19_900);
    await mediaBecomes(page, await idOf(page, 'Sensor'), { paused: false, past: 0.1 });
    expect(faults).toEqual([]);
    await close();
  });

  test('models and pages behind the visitor come when the visitor turns or comes near', async () => {
    const path = await suite.app.publish(hall, [
      { element: 'model', name: 'Orrery', file_id: model, width: 800, height: 800, depth: 800, position_z: 4000 },
      { element: 'iframe', name: 'Page', file_id: site, width: 300, height: 200, position_z: -4000 },
    ] as Written[]);
    const { page, close, faults } = await newVisitor(suite.browser);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await enterRoom(page, suite.app.origin + path);
    await looksAgain(page);
    const isDrawn = (name: string) =>
      idOf(page, name).then((id) =>
        page.evaluate((wanted) => window.enfilade!.stage!.viewOf(wanted) !== undefined, id),
      );
    const shown = () => page.locator('iframe').getAttribute('src');
    // A level of detail that doesn't exist is redirected to the model.
    const wanted = () => new Set(requests.filter((name) => name.endsWith('.glb'))).size;
    expect([await isDrawn('Orrery'), wanted(), await shown()]).toEqual([false, 0, null]);
    await page.evaluate(() => {
      window.enfilade!.stage!.rig.look(Math.PI, Math.PI / 2);
      window.enfilade!.stage!.invalidate();
    });
    // Drawing in software, a busy machine needs long for the first model's shaders.
    await expect.poll(() => isDrawn('Orrery'), { timeout: 60_000 }).toBe(true);
    expect(await isDrawn('Page')).toBe(true);
    expect([wanted(), await shown()]).toEqual([1, null]);
    await page.evaluate(() => window.enfilade!.stage!.rig.look(0, Math.PI / 2));
    await goTo(page, -3500);
    await expect.poll(shown).not.toBeNull();
    await page.frameLocator('iframe').locator('body').waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  test('a sound that is far from a visitor with many others is let go, and plays on from where it was', async () => {
    const sounds = Array.from({ length: 30 }, (_, index) => ({
      element: 'audio' as const,
      name: `Sound ${index}`,
      position_z: -index * 2500,
      config: { file_url: `${sound}?n=${index}`, loop: true },
    }));
    const path = await suite.app.publish(hall, sounds);
    const { page, close, faults } = await newVisitor(suite.browser);
    const asked = watch(page, sound);
    await enterRoom(page, suite.app.origin + path);
    const first = await idOf(page, 'Sound 0');
    const send = (type: 'play' | 'pause') =>
      page.evaluate(([kind, id]) => window.enfilade!.send({ type: kind, element_id: id }), [type, first] as const);
    await send('play');
    await mediaBecomes(page, first, { paused: false, past: 0.3 });
    await send('pause');
    await mediaBecomes(page, first, { paused: true });
    const sources = () => page.locator('audio[src]').count();
    for (let index = 1; index < 30; index++) {
      await goTo(page, -index * 2500);
      await expect.poll(() => asked.has(index)).toBe(true);
    }
    expect(await sources()).toBe(24);
    expect(await page.locator(`audio[data-media="${first}"]`).getAttribute('src')).toBeNull();
    await send('play');
    await mediaBecomes(page, first, { paused: false, past: 0.3 });
    expect(faults).toEqual([]);
    await close();
  });

  test('frames and models that were passed are let go, but for a frame that plays, and come again', async () => {
    /** A player in small: it greets, and obeys. */
    const player = standIn(
      '#ff0000',
      `addEventListener('message', ({ data }) => {
         const { func, event } = JSON.parse(data);
         if (event === 'listening') parent.postMessage(JSON.stringify({ event: 'onReady' }), '*');
         document.title += (func ?? event) + '.';
       });`,
    );
    const guest = await newGuest(suite.app, suite.browser, {
      'https://www.youtube-nocookie.com/': { body: player, type: 'text/html' },
    });
    const { page, close, faults } = guest;
    const film = (name: string, index: number) => ({
      element: 'video' as const,
      name,
      position_z: -300 - index * 2500,
      config: { type: 'youtube' as const, id: name },
    });
    const pages = Array.from({ length: 26 }, (_, index) => ({
      element: 'iframe' as const,
      name: `Page ${index}`,
      file_id: site,
      width: 320,
      height: 200,
      position_z: -300 - (index + 2) * 2500,
    }));
    const models = Array.from({ length: 50 }, (_, index) => ({
      element: 'model' as const,
      name: `Model ${index}`,
      file_id: triangle,
      width: 10,
      height: 10,
      depth: 10,
      position_z: -300 - (index + 0.5) * 1250,
    }));
    const path = await publishTree(suite.app, hall, [film('plays', 0), film('rests', 1), ...pages, ...models]);
    await enterRoom(page, suite.app.origin + path);
    const steps = () => page.evaluate(() => history.length);
    const before = await steps();
    await page.evaluate((id) => window.enfilade!.send({ type: 'play', element_id: id }), await idOf(page, 'plays'));
    const sourceOf = (name: string) => page.locator(`iframe[title="${name}"]`).getAttribute('src');
    const isDrawn = async (name: string) =>
      page.evaluate((id) => window.enfilade!.stage!.viewOf(id) !== undefined, await idOf(page, name));
    await expect.poll(() => isDrawn('Model 0')).toBe(true);
    for (let index = 1; index < 28; index++) {
      await goTo(page, -index * 2500);
      await expect.poll(() => sourceOf(index === 1 ? 'rests' : `Page ${index - 2}`)).not.toBeNull();
    }
    expect(await page.locator('iframe[src]').count()).toBe(24);
    expect([await sourceOf('plays'), await sourceOf('rests')]).toEqual([expect.any(String), null]);
    expect(await isDrawn('Model 0')).toBe(false);
    expect(await steps()).toBe(before);
    await goTo(page, -2500);
    await expect.poll(() => sourceOf('rests')).not.toBeNull();
    await page.evaluate((id) => window.enfilade!.send({ type: 'play', element_id: id }), await idOf(page, 'rests'));
    const rests = () => page.frames().find((frame) => frame.url().includes('/embed/rests'));
    await expect.poll(() => rests()?.title()).toMatch(/^listening\..*playVideo/);
    await goTo(page, 0);
    await expect.poll(() => isDrawn('Model 0')).toBe(true);
    expect([faults, guest.strays]).toEqual([[], []]);
    await close();
  });
});
