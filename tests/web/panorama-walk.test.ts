import type { Page } from 'playwright';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { enterRoom, LOOKED_AT, newVisitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';
import { nextFrames } from './elements/play.ts';

const suite = webSuite();

/** Plain colors of the places' panoramas, so that a pixel tells which one is drawn. */
const COLORS = ['#c02020', '#20a020', '#2040d0'] as const;
/** Color of a mark 90° right of the center of each panorama. */
const MARK = '#f0f0f0';
/** Distance between neighboring places in units, along x. */
const APART = 400;

const WIDTH = 2048;
/** File ids by color. */
const files = new Map<string, number>();

async function upload(color: string, name: string, width: number = WIDTH): Promise<number> {
  const mark = { create: { width: width / 32, height: width / 32, channels: 3 as const, background: MARK } };
  const at = { left: Math.round(width * 0.75 - width / 64), top: Math.round(width / 4 - width / 64) };
  const picture = await sharp({ create: { width, height: width / 2, channels: 3, background: color } })
    .composite([{ input: mark, ...at }])
    .jpeg({ chromaSubsampling: '4:4:4' })
    .toBuffer();
  const media = await suite.app.client.media.upload({
    body: {},
    files: { file: new File([new Uint8Array(picture)], `${name}.jpg`) },
  });
  return media.id;
}

beforeAll(async () => {
  for (const [index, color] of COLORS.entries()) files.set(color, await upload(color, `place-${index}`));
});

interface TourPlace {
  file_id: number | null;
  config?: Record<string, unknown>;
}

/** Publishes a room with places along x, each linked to the next one. @returns its path and the ids of the places */
async function tour(places: readonly TourPlace[], { startsInside = true, camera = {} } = {}) {
  const { client } = suite.app;
  const { id } = await client.rooms.create({ body: { title: 'Tour', width: 20_000, height: 800, depth: 4000 } });
  const ids: number[] = [];
  for (const [index, { file_id, config }] of places.entries()) {
    const made = await client.rooms.addElement({
      params: { id },
      body: {
        element: 'view_point',
        file_id,
        position_x: index * APART,
        config: { name: `Place ${index}`, order_rank: index, pulse_radius: 0, ...config },
      },
    });
    ids.push(made.id);
  }
  const config = {
    camera: { fov: 60, rotate: true, zoom: true, ...camera },
    pixelratio: 1,
    start_view_point_id: startsInside ? ids[0]! : null,
  };
  await client.rooms.update({ params: { id }, body: { config } });
  const endpoint = await client.endpoints.create({ body: { name: `Tour ${id}`, room_id: id } });
  return { path: endpoint.path, ids };
}

async function visit(path: string, options: Parameters<typeof newVisitor>[1] = {}) {
  const visitor = await newVisitor(suite.browser, { ...LOOKED_AT, ...options });
  await enterRoom(visitor.page, suite.app.origin + path);
  return visitor;
}

const goTo = (page: Page, element_id: number) =>
  page.evaluate((id) => window.enfilade!.stage!.send({ type: 'go_to', element_id: id }), element_id);

/** The colors in the center of the canvas and where the camera is. */
const shown = (page: Page) =>
  page.evaluate(async () => {
    const { stage } = window.enfilade!;
    const image = new Image();
    image.src = stage!.snapshot();
    await image.decode();
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('2d')!;
    context.drawImage(image, image.width / 2, image.height / 2, 1, 1, 0, 0, 1, 1);
    const { x, y, z } = stage!.camera.position;
    return {
      color: [...context.getImageData(0, 0, 1, 1).data],
      at: [x, y, z].map((value) => Math.round(value) + 0),
      azimuth: stage!.rig.azimuth,
    };
  });

const bytesOf = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
const isColor = (pixel: readonly number[], color: string) =>
  pixel[3] === 255 && bytesOf(color).every((value, index) => Math.abs(value - pixel[index]!) < 8);
const arrives = (page: Page, color: string) =>
  expect.poll(async () => isColor((await shown(page)).color, color), { message: color }).toBe(true);

/** Records the center of each frame that the stage draws. */
async function record(page: Page): Promise<() => Promise<number[][]>> {
  await page.evaluate(() => {
    const { stage } = window.enfilade!;
    const frames: number[][] = [];
    const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 });
    const context = canvas.getContext('2d', { willReadFrequently: true })!;
    // The buffer is empty once the frame's callbacks have run.
    const request = window.requestAnimationFrame.bind(window);
    window.requestAnimationFrame = (callback) =>
      request((now) => {
        const drawn = stage!.frames;
        callback(now);
        // Frames drawn between callbacks can't be read any more.
        if (stage!.frames === drawn) return;
        context.clearRect(0, 0, 1, 1);
        context.drawImage(stage!.canvas, stage!.canvas.width / 2, stage!.canvas.height / 2, 1, 1, 0, 0, 1, 1);
        frames.push([...context.getImageData(0, 0, 1, 1).data]);
      });
    Object.assign(window, { recorded: frames });
  });
  return () => page.evaluate(() => (window as typeof window & { recorded: number[][] }).recorded);
}

/** Whether a color is between two others, which are mixed in it. */
function isBetween(pixel: readonly number[], from: string, to: string): boolean {
  const [a, b] = [bytesOf(from), bytesOf(to)];
  const span = a.reduce((sum, value, index) => sum + (b[index]! - value) ** 2, 0);
  const part = a.reduce((sum, value, index) => sum + (pixel[index]! - value) * (b[index]! - value), 0) / span;
  return (
    pixel[3] === 255 && a.every((value, index) => Math.abs(value + part * (b[index]! - value) - pixel[index]!) < 12)
  );
}

const plain = COLORS.map((color) => () => ({ file_id: files.get(color)! }));
const three = (): TourPlace[] => plain.map((place) => place());

describe('a tour', () => {
  test('begins at its start, and goes on where the visitor stands and looks: the direction stays', async () => {
    const { path, ids } = await tour(three());
    const { page, close, faults } = await visit(path);
    await arrives(page, COLORS[0]);
    expect((await shown(page)).at).toEqual([0, 0, 0]);
    await page.evaluate(() => window.enfilade!.stage!.rig.look(0.7, Math.PI / 2));
    await goTo(page, ids[1]!);
    await arrives(page, COLORS[1]);
    const there = await shown(page);
    expect(there.at).toEqual([APART, 0, 0]);
    expect(there.azimuth).toBeCloseTo(0.7, 2);
    await goTo(page, ids[0]!);
    await arrives(page, COLORS[0]);
    expect((await shown(page)).at).toEqual([0, 0, 0]);
    expect(faults).toEqual([]);
    await close();
  });

  test('looks where a place says, and turns its panorama by its heading', async () => {
    const places = three();
    places[1]!.config = { arrival_view: 'set', target_position: { x: APART, y: 0, z: 100 } };
    places[2]!.config = {
      panorama_heading: 30,
      arrival_view: 'set',
      target_position: { x: 2 * APART - 50, y: 0, z: 87 },
    };
    const { path, ids } = await tour(places);
    const { page, close } = await visit(path);
    await goTo(page, ids[1]!);
    await arrives(page, COLORS[1]);
    expect(Math.abs((await shown(page)).azimuth)).toBeCloseTo(Math.PI, 2);
    // The mark is 90° right of the center, which is at 30°.
    await goTo(page, ids[2]!);
    await expect.poll(async () => (await shown(page)).at).toEqual([2 * APART, 0, 0]);
    await page.evaluate((heading) => window.enfilade!.stage!.rig.look((-heading * Math.PI) / 180, Math.PI / 2), 120);
    await arrives(page, MARK);
    await close();
  });

  test('has an image in every frame of a change, and mixes only the two places', async () => {
    const { path, ids } = await tour(three());
    const { page, context } = await visit(path, { isNew: true });
    await arrives(page, COLORS[0]);
    const frames = await record(page);
    await goTo(page, ids[1]!);
    await expect.poll(async () => (await frames()).some((each) => isColor(each, COLORS[1]))).toBe(true);
    const seen = await frames();
    expect(seen.filter((each) => !isBetween(each, COLORS[0], COLORS[1]))).toEqual([]);
    expect(seen.some((each) => !isColor(each, COLORS[0]) && !isColor(each, COLORS[1]))).toBe(true);
    await context.close();
  });

  test('is cut under reduced motion', async () => {
    const { path, ids } = await tour(three());
    const { page, context } = await visit(path, { isNew: true, reducedMotion: 'reduce' });
    await arrives(page, COLORS[0]);
    const frames = await record(page);
    await goTo(page, ids[1]!);
    await expect.poll(async () => (await frames()).some((each) => isColor(each, COLORS[1]))).toBe(true);
    const seen = await frames();
    expect(seen.filter((each) => !isColor(each, COLORS[0]) && !isColor(each, COLORS[1]))).toEqual([]);
    await context.close();
  });

  test('of several places chosen in a row, arrives at the last one', async () => {
    const { path, ids } = await tour(three());
    const { page, context } = await visit(path, { isNew: true });
    await arrives(page, COLORS[0]);
    const frames = await record(page);
    await goTo(page, ids[1]!);
    await expect.poll(async () => (await frames()).some((each) => !isColor(each, COLORS[0]))).toBe(true);
    await goTo(page, ids[2]!);
    await goTo(page, ids[1]!);
    await goTo(page, ids[2]!);
    await arrives(page, COLORS[2]);
    expect((await shown(page)).at).toEqual([2 * APART, 0, 0]);
    expect((await frames()).filter(([red, green, blue, alpha]) => red! + green! + blue! < 150 || alpha! < 255)).toEqual(
      [],
    );
    await context.close();
  });

  test('stays at a place until the next image is there, and says if it is missing', async () => {
    const places = three();
    places[2]!.file_id = await upload('#a0a000', 'missing');
    const { path, ids } = await tour(places);
    const visitor = await newVisitor(suite.browser, { ...LOOKED_AT, isNew: true });
    const { page, context } = visitor;
    const { data } = await suite.app.client.media.images({ query: {} });
    const urlOf = (id: number) => data.find((each) => each.id === id)!.url;
    let send = () => {};
    const held = new Promise<void>((resolve) => {
      send = resolve;
    });
    await page.route(`**${urlOf(files.get(COLORS[1])!)}*`, async (route) => {
      await held;
      await route.continue();
    });
    await page.route(`**${urlOf(places[2]!.file_id!)}*`, (route) => route.abort());
    await enterRoom(page, suite.app.origin + path);
    await arrives(page, COLORS[0]);
    await goTo(page, ids[1]!);
    await nextFrames(page, 30);
    const before = await shown(page);
    expect([isColor(before.color, COLORS[0]), before.at]).toEqual([true, [0, 0, 0]]);
    send();
    await arrives(page, COLORS[1]);
    await goTo(page, ids[2]!);
    await page.getByText('Part of this room could not be loaded.').waitFor();
    await context.close();
  });

  test('at a place, keys turn and the wheel zooms; in the room around it, they move as before', async () => {
    const { path, ids } = await tour([{ file_id: files.get(COLORS[0])! }, { file_id: null }], { startsInside: false });
    const { page, close } = await visit(path);
    const zoom = () => page.evaluate(() => window.enfilade!.stage!.camera.zoom);
    const isGrid = async () => !isColor((await shown(page)).color, COLORS[0]);
    expect(await isGrid()).toBe(true);
    await goTo(page, ids[0]!);
    await arrives(page, COLORS[0]);
    const { azimuth } = await shown(page);
    await page.keyboard.press('ArrowRight');
    await expect.poll(async () => (await shown(page)).azimuth).toBeLessThan(azimuth - 0.1);
    await page.mouse.move(300, 200);
    await page.mouse.wheel(0, -600);
    await expect.poll(zoom).toBeGreaterThan(1.5);
    expect((await shown(page)).at).toEqual([0, 0, 0]);

    await goTo(page, ids[1]!);
    await expect.poll(isGrid).toBe(true);
    await expect.poll(async () => (await shown(page)).at[0]).toBeGreaterThan(APART - 20);
    const there = (await shown(page)).at;
    await page.keyboard.press('ArrowUp');
    await expect.poll(async () => (await shown(page)).at).not.toEqual(there);
    await close();
  });

  test('prefetches the places that are linked, the one in view first, and no more than small copies to save data', async () => {
    const { path } = await tour(three());
    for (const saveData of [false, true]) {
      const { page, context } = await newVisitor(suite.browser, { ...LOOKED_AT, isNew: true });
      if (saveData)
        await page.addInitScript(() =>
          Object.defineProperty(Navigator.prototype, 'connection', { get: () => ({ saveData: true }) }),
        );
      const asked: string[] = [];
      page.on('request', (request) => {
        const { pathname, search } = new URL(request.url());
        if (/place-1/.test(pathname)) asked.push(search);
      });
      await enterRoom(page, suite.app.origin + path);
      await expect.poll(() => asked).toContain('?width=490');
      if (saveData) {
        await page.waitForLoadState('networkidle');
        expect(asked).toEqual(['?width=490']);
      } else await expect.poll(() => asked).toEqual(['?width=490', '']);
      await context.close();
    }
  });

  test('keeps its memory over three rounds of many large places', async () => {
    const many: TourPlace[] = [];
    for (let index = 0; index < 9; index++)
      many.push({ file_id: await upload(`#${(index + 3).toString(16).repeat(2)}8080`, `large-${index}`, 4096) });
    const { path, ids } = await tour(many);
    const { page, close } = await visit(path);
    const textures = () => page.evaluate(() => window.enfilade!.stage!.memory.textures);
    const rounds: number[] = [];
    for (let round = 0; round < 3; round++) {
      for (const [index, id] of [...ids.entries()].slice(1).concat([[0, ids[0]!]])) {
        await goTo(page, id);
        await arrives(page, `#${(index + 3).toString(16).repeat(2)}8080`);
      }
      await page.waitForLoadState('networkidle');
      let before = -1;
      for (let now = await textures(); now !== before; now = await textures()) {
        before = now;
        await nextFrames(page, 30);
      }
      rounds.push(before);
    }
    // Nine small copies, and the whole images that fit the cache besides the drawn one.
    expect(Math.max(...rounds)).toBeLessThanOrEqual(9 + 6 + 2);
    expect(rounds[2]).toBeLessThanOrEqual(rounds[0]!);
    await close();
  });
});
