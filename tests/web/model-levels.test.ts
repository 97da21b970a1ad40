import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { enterRoom, LOOKED_AT, newVisitor } from '../harness/browser.ts';
import { denseModel } from '../harness/dense-model.ts';
import { type Pixels, pixelsOf } from '../harness/picture.ts';
import { webSuite } from '../harness/web-suite.ts';
import { idOf, publishTree, type Written } from './elements/play.ts';

const suite = webSuite({ environment: async () => ({ OPTIMIZE_MEDIA: '1' }) });
let folder: string;
let model: number;
let triangles: number[];

/** A Radiance environment with a bright band, larger than rooms need. */
function environment(): Buffer {
  const [width, height] = [4096, 512];
  const pixels = Buffer.alloc(width * height * 4);
  for (let at = 0; at < width * height; at++) {
    const isBright = at % width > width / 2 && at % width < width * 0.6;
    pixels.set(isBright ? [250, 220, 180, 130] : [90, 120, 200, 126], at * 4);
  }
  return Buffer.concat([Buffer.from(`#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y ${height} +X ${width}\n`), pixels]);
}

/** Uploads a file and waits for its lighter version. */
async function upload(name: string, content: Buffer) {
  const path = join(folder, name);
  await writeFile(path, content);
  return suite.app.upload(path);
}
async function converted(id: number) {
  suite.app.clock.advance(31_000);
  const optimized = async () => (await suite.app.client.media.read({ params: { id } })).optimized;
  const isDone = async () => expect((await optimized())?.state).toBe('done');
  await vi.waitFor(isDone, { timeout: 120_000, interval: 200 });
  return (await optimized())!;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'enfilade-levels-'));
  model = (await upload('ball.glb', await denseModel())).id;
  triangles = (await converted(model)).levels!.triangles;
}, 180_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const hall = {
  width: 4000,
  height: 2000,
  depth: 40_000,
  config: { camera: { fov: 50, position: { x: 0, y: 0, z: 0 }, angle: { x: 0, y: 0, z: -1 } }, pixelratio: 1 },
};
const ball = (more: object): Written => ({
  ...({ element: 'model', file_id: model, width: 100, height: 100, depth: 100, ...more } as Written),
});
const goTo = (page: Page, z: number) =>
  page.evaluate((place) => {
    const { rig } = window.enfilade!.stage!;
    rig.moveTo({ x: 0, y: 0, z: place }, { x: 0, y: 0, z: place - 100 }, undefined, false);
    window.enfilade!.stage!.invalidate();
  }, z);
const drawn = (page: Page) => page.evaluate(() => window.enfilade!.stage!.drawn.triangles);
/** Whether the room draws a number of triangles, apart from its walls. */
const becomes = (page: Page, count: number) =>
  expect.poll(async () => Math.abs((await drawn(page)) - count) < 200, { timeout: 20_000, interval: 100 }).toBe(true);

test('many copies of a model are drawn coarsely in the distance, and in full nearby', async () => {
  const copies = Array.from({ length: 20 }, (_, index) => ball({ position_x: (index - 9.5) * 110, position_z: -6000 }));
  const visitor = await newVisitor(suite.browser, LOOKED_AT);
  const { page } = visitor;
  const loaded = new Set<string>();
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.endsWith('.glb')) loaded.add(search);
  });
  await enterRoom(page, suite.app.origin + (await publishTree(suite.app, hall, copies)));
  await becomes(page, 20 * triangles[2]!);
  // Finer levels haven't been loaded.
  expect([...loaded]).toEqual(['?level=2']);
  await goTo(page, -5850);
  await expect.poll(() => drawn(page), { timeout: 20_000 }).toBeGreaterThan(triangles[0]!);
  expect(await drawn(page)).toBeLessThan(20 * triangles[0]!);
  expect(loaded.has('')).toBe(true);
  await goTo(page, 0);
  await becomes(page, 20 * triangles[2]!);
  expect(visitor.faults).toEqual([]);
  await visitor.close();
}, 120_000);

test('at the edge of a level, the model keeps the one that it has; its element works as before', async () => {
  const visitor = await newVisitor(suite.browser, LOOKED_AT);
  const { page } = visitor;
  await enterRoom(
    page,
    suite.app.origin + (await publishTree(suite.app, hall, [ball({ name: 'Ball', position_z: -6000 })])),
  );
  await becomes(page, triangles[2]!);
  const id = await idOf(page, 'Ball');
  const levelAt = async (z: number) => {
    await goTo(page, z);
    let last = -1;
    const settles = async () => {
      const before = last;
      last = await drawn(page);
      return before === last;
    };
    await expect.poll(settles, { timeout: 20_000, interval: 600 }).toBe(true);
    return triangles.findIndex((count) => Math.abs(last - count) < 200);
  };
  // Searches the place at which the model itself replaces its first coarser level.
  let [far, near] = [-4000, -5800];
  await levelAt(-4000);
  while (far - near > 20) {
    await levelAt(-4000);
    const middle = Math.round((far + near) / 2);
    if ((await levelAt(middle)) === 0) near = middle;
    else far = middle;
  }
  expect(await levelAt(near - 10)).toBe(0);
  for (const step of [25, 5, 30, 0]) expect(await levelAt(near + step)).toBe(0);
  expect(await levelAt(0)).toBe(2);

  // Shadows, picking and bounds are those of the drawn level.
  const seen = await page.evaluate((element) => {
    const { object } = window.enfilade!.stage!.viewOf(element)!;
    const meshes: boolean[] = [];
    object.traverse((node) => {
      if ((node as { isMesh?: boolean }).isMesh) meshes.push(node.castShadow && node.receiveShadow);
    });
    return { meshes, targets: window.enfilade!.stage!.objects(() => true).length };
  }, id);
  expect(seen).toEqual({ meshes: [true], targets: 1 });
  // All three levels go with the element.
  const freed = await page.evaluate((element) => {
    const stage = window.enfilade!.stage!;
    const before = stage.memory.geometries;
    stage.viewOf(element)!.dispose();
    return before - stage.memory.geometries;
  }, id);
  expect(freed).toBe(3);
  expect(visitor.faults).toEqual([]);
  await visitor.close();
}, 240_000);

test('a smaller environment lights a model as the whole one did', async () => {
  const { id: hdr_file_id } = await upload('sky.hdr', environment());
  const template = await suite.app.client.templates.create({ body: { name: 'Sky', hdr_file_id } });
  const room = { ...hall, depth: 2000, template_id: template.id };
  const path = await publishTree(suite.app, room, [ball({ position_z: -200 })]);
  const look = async (): Promise<{ pixels: Pixels; bytes: number; side: number }> => {
    const visitor = await newVisitor(suite.browser, { ...LOOKED_AT, isNew: true });
    let bytes = 0;
    visitor.page.on('response', (response) => {
      if (response.url().endsWith('.hdr')) bytes = Number(response.headers()['content-length']);
    });
    await enterRoom(visitor.page, suite.app.origin + path);
    // Controls would count as part of the room.
    await visitor.page.addStyleTag({ content: '#overlay { display: none }' });
    // The environment may arrive later than everything else.
    // The built-in environment has faces of 256 pixels.
    const face = await visitor.page.waitForFunction(() => {
      const { environment } = window.enfilade!.stage!.three;
      const { width = 0 } = (environment?.mipmaps[0] ?? {}) as { width?: number };
      return width > 256 && width;
    });
    const side = Number(await face.jsonValue());
    await visitor.page.evaluate(() => window.enfilade!.stage!.invalidate());
    const pixels = await pixelsOf(visitor.page);
    await visitor.context.close();
    return { pixels, bytes, side };
  };
  const before = await look();
  const { bytes } = await converted(hdr_file_id);
  const after = await look();
  expect(before.bytes).toBeGreaterThan(8_000_000);
  expect(after.bytes).toBe(bytes);
  expect([before.side, after.side]).toEqual([1024, 512]);
  const away = after.pixels.data.map((value, at) => Math.abs(value - before.pixels.data[at]!));
  expect(away.reduce((sum, value) => sum + value, 0) / away.length).toBeLessThan(0.5);
  expect(away.filter((value) => value > 10).length / away.length).toBeLessThan(0.001);
}, 120_000);
