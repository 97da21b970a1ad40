import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { DIST } from '../../src/server/app/app.ts';
import { LOOKED_AT, newVisitor } from '../harness/browser.ts';
import { laterToday } from '../harness/later-today.ts';
import { colorCount, type Pixels, pixelAt, pixelsOf } from '../harness/picture.ts';
import { webSuite } from '../harness/web-suite.ts';

/** Most bytes, brotli, of the script that paints the first picture. */
const PAINTER = 8000;
/** Mean difference per color, of 255, that two ways of drawing the same picture may have. */
const SAME = 3;

const suite = webSuite();

/** What is on its way is waited for: nothing of it was had before. */
const COLD = { isNew: true, ...LOOKED_AT };
let template_id: number;
let picture: string;
/** Of the picture, in pixels. */
let width: number;

beforeAll(async () => {
  const file = await suite.app.upload('fixtures/media/panorama.jpg');
  picture = file.url;
  width = file.width!;
  const body = { name: 'Lake', model_type: 'pano' as const, file_id: file.id };
  template_id = (await suite.app.client.templates.create({ body })).id;
});

/** Holds the requests for an address back until it is let through. */
async function hold(page: Page, pattern: string | RegExp): Promise<() => void> {
  let release = () => {};
  const open = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(pattern, async (route) => {
    await open;
    await route.continue();
  });
  return release;
}

const ENGINE = /\/assets\/viewer-[\w-]+\.js$/;
const config = { camera: { fov: 60, rotate: true } };

/** The room without what stands over it. */
async function bare(page: Page): Promise<Pixels> {
  await page.addStyleTag({ content: '#entrance, #overlay { display: none !important }' });
  return pixelsOf(page);
}

function difference(one: Pixels, other: Pixels): number {
  expect(other.data.length).toBe(one.data.length);
  let sum = 0;
  for (let at = 0; at < one.data.length; at++) sum += Math.abs(one.data[at]! - other.data[at]!);
  return sum / one.data.length;
}

const waitForPicture = (page: Page) =>
  page.waitForFunction(() => performance.getEntriesByName('enfilade:whole-picture').length > 0);

describe('the first picture', () => {
  test('the small copy is seen behind the entrance while the picture and the engine are on their way', async () => {
    const path = await suite.app.publish({ template_id, config });
    const { page, context, faults } = await newVisitor(suite.browser, COLD);
    const letEngine = await hold(page, ENGINE);
    const letPicture = await hold(page, `**${picture}`);
    await page.goto(suite.app.origin + path);
    await page.locator('.first-picture').waitFor();
    // The middle of the lower half, where nothing else stands, is brighter than the plain entrance: rgb(20, 23, 28).
    const [red, green, blue] = pixelAt(await pixelsOf(page), 320, 320);
    expect(red + green + blue).toBeGreaterThan(90);
    expect(await page.locator('#entrance').textContent()).toContain('Loading…');
    letPicture();
    await waitForPicture(page);
    letEngine();
    await page.locator('#room[data-state="ready"]').waitFor();
    await page.locator('.first-picture').waitFor({ state: 'detached' });
    expect(await page.evaluate(() => window.firstPicture)).toBeUndefined();
    expect(faults).toEqual([]);
    await context.close();
  });

  const views = [
    { name: 'straight ahead', camera: {} },
    { name: 'turned and looking up', camera: { rotation: { x: 0.3, y: 1.1 } } },
    { name: 'higher than visitors may turn', camera: { rotation: { x: 1.2, y: -2 } } },
    { name: 'at a point', camera: { position: { x: 50, y: 20, z: -30 }, angle: { x: -400, y: -90, z: 200 } } },
    { name: 'where a link leads', camera: {}, hash: '#camera=0,0,0,300,80,100' },
    { name: 'from a view point', camera: {}, hash: '#view_point=' },
  ];
  test.each(views)('it is what the engine draws in its place: $name', async ({ camera, hash = '' }) => {
    // Its disc lies behind whoever stands there; from the other places it is too small to be seen.
    const viewPoint = { name: 'There', target_position: { x: -200, y: 60, z: 300 }, pulse_radius: 1 };
    const path = await suite.app.publish({ template_id, config: { camera: { ...config.camera, ...camera } } }, [
      { element: 'view_point', position_x: 40, position_y: -900, position_z: 20, config: viewPoint },
    ]);
    const rooms = await suite.app.client.rooms.list();
    const { elements } = await suite.app.client.rooms.read({
      params: { id: Math.max(...rooms.data.map(({ id }) => id)) },
    });
    const end = hash.endsWith('=') ? hash + elements[0]!.id : hash;
    const { page, close } = await newVisitor(suite.browser, LOOKED_AT);
    const letEngine = await hold(page, ENGINE);
    await page.goto(suite.app.origin + path + end);
    await waitForPicture(page);
    const painted = await bare(page);
    expect(colorCount(painted)).toBeGreaterThan(20);
    letEngine();
    await page.locator('#room[data-state="ready"]').waitFor();
    await page.locator('.first-picture').waitFor({ state: 'detached' });
    const drawn = await bare(page);
    expect(difference(painted, drawn)).toBeLessThan(SAME);
    await close();
  });

  test.each([
    { name: 'the start of a tour', hash: '' },
    { name: 'a view from there', hash: 'heading=140&pitch=20&fov=40' },
    { name: 'where a start looks', hash: '', view: { arrival_view: 'set' as const, target_position: { x: 9, z: 60 } } },
  ])('it is what the engine draws in its place: $name', async ({ hash, view }) => {
    const { client, origin } = suite.app;
    const { data } = await client.media.images({ query: {} });
    const file_id = data.find(({ url }) => url === picture)!.id;
    const { id } = await client.rooms.create({ body: { title: 'Tour' } });
    const turn = { panorama_heading: 70, panorama_pitch: 12, panorama_roll: -9, pulse_radius: 0 };
    const body = {
      element: 'view_point' as const,
      file_id,
      position_x: 30,
      config: { name: 'Hall', ...turn, ...view },
    };
    const place = await client.rooms.addElement({ params: { id }, body });
    const camera = { ...config.camera, zoom: true, rotation: { x: 0.2, y: 0.6 } };
    await client.rooms.update({ params: { id }, body: { config: { camera, start_view_point_id: place.id } } });
    const { path } = await client.endpoints.create({ body: { name: `Tour ${id}`, room_id: id } });
    const { page, close } = await newVisitor(suite.browser, LOOKED_AT);
    const letEngine = await hold(page, ENGINE);
    await page.goto(`${origin}${path}${hash && `#view_point=${place.id}&${hash}`}`);
    await waitForPicture(page);
    const painted = await bare(page);
    letEngine();
    await page.locator('#room[data-state="ready"]').waitFor();
    await page.locator('.first-picture').waitFor({ state: 'detached' });
    expect(difference(painted, await bare(page))).toBeLessThan(SAME);
    await close();
  });

  test('the picture is loaded and decoded once; where it is late, a small copy comes besides', async () => {
    const path = await suite.app.publish({ template_id });
    const { page, context } = await newVisitor(suite.browser, COLD);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.addInitScript(() => {
      const decode = window.createImageBitmap;
      const widths: number[] = [];
      Object.assign(window, {
        widths,
        createImageBitmap: async (...given: Parameters<typeof decode>) => {
          const bitmap = await decode(...given);
          widths.push(bitmap.width);
          return bitmap;
        },
      });
    });
    await page.goto(suite.app.origin + path);
    await page.locator('#room[data-state="ready"]').waitFor();
    const address = suite.app.origin + picture;
    const [first, ...others] = asked.filter((url) => url.includes('/media/'));
    expect(first).toBe(address);
    // The engine does not wait for a picture that is still on its way: it asks for the copy once.
    expect([[], [`${address}?width=490`]]).toContainEqual(others);
    const widths = await page.evaluate(() => (window as typeof window & { widths: number[] }).widths);
    expect(widths.filter((each) => each === width)).toHaveLength(1);
    await context.close();
  });

  test("a picture that can't be had leaves the room open, with a sentence", async () => {
    const path = await suite.app.publish({ template_id });
    const { page, context, faults } = await newVisitor(suite.browser, COLD);
    await page.route(`**${picture}*`, (route) => route.abort());
    await page.goto(suite.app.origin + path);
    await page.locator('#entrance.is-ready').waitFor();
    await page.locator('#entrance').press('Enter');
    await page.getByText('Part of this room could not be loaded.').waitFor();
    expect(faults.filter((fault) => fault.startsWith('error:'))).toEqual([]);
    await context.close();
  });

  test('a room without a panorama shows its title over a blurred picture before any script, until it is drawn', async () => {
    const file = await suite.app.upload('fixtures/media/panorama.jpg');
    const image = (width: number, url: string) => ({
      element: 'image' as const,
      width,
      height: 100,
      config: { file_url: url },
    });
    const elements = [image(10, ''), image(300, file.url), image(20, '')];
    const path = await suite.app.publish({ title: 'Cabinet' }, elements);
    const html = await (await fetch(suite.app.origin + path)).text();
    const poster = /<img id="poster" alt="" src="(data:image\/webp;base64,[^"]+)"/.exec(html)![1]!;
    expect(poster.length).toBeLessThanOrEqual(4096);

    const still = await newVisitor(suite.browser, { ...COLD, javaScriptEnabled: false });
    await still.page.goto(suite.app.origin + path);
    await still.page.locator('#entrance-title:not(:empty)').waitFor();
    // The plain entrance is rgb(20, 23, 28) everywhere.
    const [red, green, blue] = pixelAt(await pixelsOf(still.page), 320, 320);
    expect(red + green + blue).toBeGreaterThan(90);
    await still.context.close();

    const { page, context, faults } = await newVisitor(suite.browser, COLD);
    const letEngine = await hold(page, ENGINE);
    await page.goto(suite.app.origin + path, { waitUntil: 'commit' });
    await page.locator('#poster').waitFor();
    letEngine();
    await page.locator('#entrance.is-ready').waitFor();
    expect(await page.locator('#poster').count()).toBe(0);
    expect(await page.evaluate(() => window.firstPicture)).toBeUndefined();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('the poster of what everybody sees stands blurred behind the entrance; a protected room shows none before it', async () => {
    const { client, origin } = suite.app;
    const picture = await suite.app.upload('fixtures/media/panorama-poster.jpg');
    const room = await client.rooms.create({ body: { title: 'Cellar' } });
    const file_id = (await client.media.images({ query: {} })).data.find(({ url }) => url === picture.url)!.id;
    await client.rooms.choosePoster({ params: { id: room.id }, body: { file_id } });
    const { id } = await client.endpoints.create({ body: { name: 'Cellar', slug: 'cellar', room_id: room.id } });
    const behind = async () =>
      /<img id="poster" alt="" src="(data:image\/webp;base64,[^"]+)"/.exec(
        await (await fetch(`${origin}/cellar`)).text(),
      )?.[1];
    const shown = await behind();
    expect(shown!.length).toBeLessThanOrEqual(4096);
    const { page, context, faults } = await newVisitor(suite.browser, COLD);
    const letEngine = await hold(page, ENGINE);
    await page.goto(`${origin}/cellar`, { waitUntil: 'commit' });
    await page.locator('#poster').waitFor();
    letEngine();
    await page.locator('#entrance.is-ready').waitFor();
    expect(await page.locator('#poster').count()).toBe(0);
    expect(faults).toEqual([]);
    await context.close();
    await client.endpoints.update({ params: { id }, body: { is_protected: true } });
    await expect.poll(behind).toBeUndefined();
  });

  test('the picture behind an entrance comes blurred, so that no device has to do it over the whole page', async () => {
    const black = { width: 400, height: 400, channels: 3, background: '#000000' } as const;
    const white = { input: { create: { ...black, width: 200, background: '#ffffff' } }, left: 0, top: 0 };
    const halves = await sharp({ create: black }).composite([white]).png().toBuffer();
    const { url: file_url } = await suite.app.client.media.upload({
      body: {},
      files: { file: new File([new Uint8Array(halves)], 'halves.png') },
    });
    const path = await suite.app.publish({ title: 'Halves' }, [
      { element: 'image', width: 100, height: 100, config: { file_url } },
    ]);
    const { page, context } = await newVisitor(suite.browser, { ...COLD, javaScriptEnabled: false });
    await page.goto(suite.app.origin + path);
    const poster = page.locator('#poster');
    const [, bytes] = (await poster.getAttribute('src'))!.split('base64,');
    const { data, info } = await sharp(Buffer.from(bytes!, 'base64'))
      .extractChannel(0)
      .raw()
      .toBuffer({ resolveWithObject: true });
    const row = [...data.subarray(0, info.width)];
    expect([row[0]! > 240, row.at(-1)! < 15]).toEqual([true, true]);
    expect(Math.max(...row.slice(1).map((level, index) => row[index]! - level))).toBeLessThan(110);
    await expect.poll(() => poster.evaluate((each) => getComputedStyle(each).filter)).toBe('none');
    await context.close();
  });

  test('a countdown, a code and another kind of room get no picture', async () => {
    const { client, origin } = suite.app;
    const { url: file_url } = await suite.app.upload('fixtures/media/panorama.jpg');
    const templated = await client.rooms.create({ body: { title: 'Later', template_id } });
    const pictured = await client.rooms.create({ body: { title: 'Hung' } });
    await client.rooms.addElement({
      params: { id: pictured.id },
      body: { element: 'image', name: 'Lake', config: { file_url } },
    });
    await client.endpoints.create({ body: { name: 'Vault', room_id: pictured.id, is_protected: true } });
    await client.endpoints.create({ body: { name: 'Later', room_id: templated.id, ...laterToday(new Date()) } });
    await client.endpoints.create({ body: { name: 'Members', room_id: templated.id, is_protected: true } });
    const plain = await suite.app.publish({});
    for (const path of ['/later', '/members', '/vault', plain]) {
      const text = await (await fetch(origin + path)).text();
      expect(text, path).toContain('"preview":null');
      expect(text, path).not.toContain('data:image');
    }
  });

  test('the page comes compressed for who takes it so, and is the same for who does not', async () => {
    const path = await suite.app.publish({ template_id });
    const load = async (encodings: string) => {
      const answer = await fetch(suite.app.origin + path, { headers: { 'accept-encoding': encodings } });
      // What the clock says differs.
      const text = (await answer.text()).replaceAll(/\b\d{10,}(?:\.\d+)?\b/g, '');
      return { text, encoding: answer.headers.get('content-encoding'), vary: answer.headers.get('vary') };
    };
    const packed = await load('gzip, br');
    expect(packed).toMatchObject({ encoding: 'br', vary: 'accept-encoding, save-data' });
    for (const encodings of ['gzip', 'br;q=0, gzip', 'identity'])
      expect(await load(encodings)).toEqual({ ...packed, encoding: null });
  });

  test(`security 35: the page allows this one script in it by its hash; it is smaller than ${PAINTER} bytes`, async () => {
    const path = await suite.app.publish({ template_id });
    const policy = (await fetch(suite.app.origin + path)).headers.get('content-security-policy')!;
    expect(/script-src ([^;]+);/.exec(policy)![1]).toMatch(/^'self' 'wasm-unsafe-eval' 'sha256-[\w+/]{43}='$/);
    const page = await readFile(`${DIST}/viewer/index.html`, 'utf8');
    const script = /<script data-scripts="[^"]+">([\s\S]+?)<\/script>/.exec(page)![1]!;
    expect((await promisify(brotliCompress)(script)).length).toBeLessThan(PAINTER);
  });
});
