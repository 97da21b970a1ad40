import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countBytes } from '../bench/memory/count-bytes.ts';
import { enterRoom, LOOKED_AT, newVisitor } from '../harness/browser.ts';
import { buildRoom, plainRoom, type Written } from '../harness/canvas-page.ts';
import { isColor, placeOf, uploadColors } from '../harness/color-images.ts';
import { pixelAt, pixelsOf } from '../harness/picture.ts';
import { quiet } from '../harness/quiet-page.ts';
import { webSuite } from '../harness/web-suite.ts';
import { loseContext } from './elements/play.ts';

const suite = webSuite();
const COUNT = 300;
const COLUMNS = 25;
let folder: string;
let files: number[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'enfilade-batches-'));
  files = await uploadColors(suite.app, folder, COUNT);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A wall of images, 20 units wide each. */
const wall = (change: (index: number) => Partial<Written> = () => ({})): Written[] =>
  Array.from({ length: COUNT }, (_, index) => ({
    element: 'image',
    name: `No. ${index}`,
    file_id: files[index]!,
    width: 20,
    ignore_light: true,
    position_x: (index % COLUMNS) * 26 - 312,
    position_y: 130 - Math.floor(index / COLUMNS) * 20,
    position_z: -200,
    ...change(index),
  }));

async function publish(elements: Written[]): Promise<string> {
  const { id } = await buildRoom(suite.app, elements, plainRoom(1));
  const { slug } = await suite.app.client.endpoints.create({ body: { name: `Wall ${id}`, room_id: id } });
  return `/${slug}`;
}

async function enter(page: Page, elements: Written[]): Promise<void> {
  await enterRoom(page, suite.app.origin + (await publish(elements)));
  await page.addStyleTag({ content: '#overlay { display: none }' });
}

const stats = (page: Page) => page.evaluate(() => ({ ...window.enfilade!.stage!.drawn, bytes: window.gpuBytes() }));

const idOf = (page: Page, name: string): Promise<number> =>
  page.evaluate(
    (wanted) => window.enfilade!.stage!.scene.room.elements.find((element) => element.name === wanted)!.id,
    name,
  );

/** Moves the camera without an animation. */
const stepTo = (page: Page, position: { x: number; y: number; z: number }) =>
  page.evaluate(({ x, y, z }) => {
    window.enfilade!.stage!.rig.moveTo({ x, y, z }, { x, y, z: z - 100 }, 1, false);
    window.enfilade!.stage!.invalidate();
  }, position);

/** Width in pixels of the texture of an image that is drawn by itself; 0 if its batch draws it. */
const sharpWidth = async (page: Page, name: string): Promise<number> =>
  page.evaluate(
    (id) => {
      const { three } = window.enfilade!.stage!;
      const object = three.children.find(({ userData }) => userData.element_id === id);
      let width = 0;
      object?.traverse((node) => {
        const { material } = node as typeof node & { material?: { map?: { image: { width: number } } | null } };
        width = Math.max(width, material?.map?.image.width ?? 0);
      });
      return width;
    },
    await idOf(page, name),
  );

/** Numbers of the images in sight whose center has another color. */
async function wrongIn(page: Page, isChecked = (_: number) => true): Promise<number[]> {
  const pixels = await pixelsOf(page);
  const found: number[] = [];
  for (let index = 0; index < COUNT; index++) {
    const { x, y } = await placeOf(page, `No. ${index}`);
    const isSeen = isChecked(index) && x >= 0 && y >= 0 && x < pixels.width && y < pixels.height;
    if (isSeen && !isColor(pixelAt(pixels, x, y), index)) found.push(index);
  }
  return found;
}

const shows = async (page: Page, name: string, index: number): Promise<boolean> => {
  const { x, y } = await placeOf(page, name);
  return isColor(pixelAt(await pixelsOf(page), x, y), index);
};

const newPage = async () => {
  const visitor = await newVisitor(suite.browser, { ...LOOKED_AT, isNew: true });
  await visitor.page.addInitScript(countBytes);
  return visitor;
};

describe('many different images', () => {
  test('are drawn in a few draw calls, each where it hangs, and again after the graphics context was lost', async () => {
    const { page, faults } = await newPage();
    await enter(page, wall());
    await expect.poll(() => wrongIn(page), { timeout: 20_000 }).toEqual([]);
    const { calls, bytes } = await stats(page);
    expect(calls).toBeLessThanOrEqual(20);
    expect(bytes).toBeLessThan(20e6);
    await loseContext(page);
    await expect.poll(() => wrongIn(page), { timeout: 20_000 }).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('become sharp near the visitor, within a limit of draw calls and bytes, however often one walks past', async () => {
    const { page, faults } = await newPage();
    await enter(page, wall());
    const memory: number[] = [];
    for (let round = 0; round < 3; round++) {
      for (const [x, name] of [
        [-312, 'No. 150'],
        [0, 'No. 162'],
        [312, 'No. 174'],
      ] as const) {
        await stepTo(page, { x, y: 10, z: -175 });
        await expect.poll(() => sharpWidth(page, name), { timeout: 20_000 }).toBeGreaterThanOrEqual(490);
        expect((await stats(page)).calls).toBeLessThanOrEqual(60);
      }
      await expect.poll(() => wrongIn(page), { timeout: 20_000 }).toEqual([]);
      memory.push((await stats(page)).bytes);
    }
    expect(Math.max(...memory)).toBeLessThan(150e6);
    expect(memory.at(-1)! / memory[0]!).toBeLessThan(1.05);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('that cannot be loaded sharp make way for others, and are not requested again; all are in the same formats', async () => {
    const { page } = await newPage();
    const missing = 3;
    const { data } = await suite.app.client.media.list({ query: { ids: files.slice(0, missing).join(',') } });
    const urls = data.map(({ url }) => url);
    const requests: string[] = [];
    const formats = new Set<string>();
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.endsWith('.jpg')) formats.add(request.headers().accept!);
      if (urls.includes(pathname)) requests.push(pathname + search);
    });
    // The small layers exist.
    await page.route(
      (url) => urls.includes(url.pathname) && url.searchParams.get('width') !== '128',
      (route) => route.fulfill({ status: 404 }),
    );
    // They are nearest.
    const before = (index: number) =>
      index < missing ? { position_x: 0, position_y: 10, position_z: -199 + index } : {};
    await enter(page, wall(before));
    for (let step = 0; step < 6; step++) {
      await stepTo(page, { x: step / 10, y: 10, z: -175 });
      await quiet(page);
    }
    await expect.poll(() => sharpWidth(page, 'No. 162'), { timeout: 20_000 }).toBeGreaterThanOrEqual(490);
    await expect.poll(() => shows(page, 'No. 2', 2)).toBe(true);
    expect(requests.length).toBeGreaterThan(missing);
    expect(new Set(requests).size).toBe(requests.length);
    expect([...formats]).toEqual([expect.stringContaining('image/webp')]);
    await page.context().close();
  });

  test('are pressed, focused, hidden, moved and removed like others, also while they are edited', async () => {
    const { page, faults } = await newPage();
    const { client } = suite.app;
    const lines: string[] = [];
    page.on('websocket', (socket) => lines.push(new URL(socket.url()).pathname));
    await enter(page, wall());
    await expect.poll(() => lines).toContain('/realtime/edits');
    await expect.poll(() => wrongIn(page), { timeout: 20_000 }).toEqual([]);
    const at = await placeOf(page, 'No. 137');
    await page.mouse.move(at.x, at.y);
    await page.getByText('No. 137', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'No. 140', exact: true }).focus();
    await expect.poll(() => page.locator('.stage-ring').isVisible()).toBe(true);

    const hidden = await idOf(page, 'No. 137');
    const isDrawn = () => page.evaluate((id) => window.enfilade!.stage!.viewOf(id) !== undefined, hidden);
    await client.elements.hide({ params: { id: hidden, hidden: '1' } });
    await expect.poll(isDrawn).toBe(false);
    await expect.poll(() => shows(page, 'No. 136', 136)).toBe(true);
    await expect.poll(async () => isColor(pixelAt(await pixelsOf(page), at.x, at.y), 137)).toBe(false);
    await client.elements.hide({ params: { id: hidden, hidden: '0' } });
    await expect.poll(() => shows(page, 'No. 137', 137)).toBe(true);

    const moved = await idOf(page, 'No. 138');
    const before = await placeOf(page, 'No. 138');
    await client.elements.update({ params: { id: moved }, body: { position_y: 160 } });
    await expect.poll(async () => (await placeOf(page, 'No. 138')).y).toBeLessThan(before.y - 10);
    await expect.poll(() => shows(page, 'No. 138', 138)).toBe(true);
    await expect.poll(async () => isColor(pixelAt(await pixelsOf(page), before.x, before.y), 138)).toBe(false);

    await client.elements.remove({ params: { id: await idOf(page, 'No. 139') } });
    await expect.poll(() => page.evaluate(() => window.enfilade!.stage!.memory.views)).toBe(COUNT - 1);
    const other = await idOf(page, 'No. 141');
    await client.elements.update({ params: { id: other }, body: { file_id: files[0]! } });
    await expect.poll(() => shows(page, 'No. 141', 0)).toBe(true);

    const pressed = await placeOf(page, 'No. 145');
    await page.mouse.click(pressed.x, pressed.y);
    // The overlay that contains it is hidden for the pixels.
    await page.locator('dialog[aria-label="No. 145"]').waitFor({ state: 'attached', timeout: 20_000 });
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('keep their captions, bodies and light in as few draw calls', async () => {
    const { page, faults } = await newPage();
    const captioned = (index: number): Partial<Written> => ({
      ignore_light: index % 2 === 0,
      depth: 3,
      width: 14,
      config: { title: `Work ${index}`, title_size: 2, caption_side: 'below' },
    });
    await enter(page, wall(captioned));
    await quiet(page);
    // Light changes the colors of the others.
    const isUnlit = (index: number) => index % 2 === 0;
    await expect.poll(() => wrongIn(page, isUnlit), { timeout: 20_000 }).toEqual([]);
    expect((await stats(page)).calls).toBeLessThanOrEqual(30);
    await stepTo(page, { x: 0, y: 10, z: -185 });
    await expect.poll(() => sharpWidth(page, 'No. 162'), { timeout: 20_000 }).toBeGreaterThanOrEqual(490);
    expect((await stats(page)).calls).toBeLessThanOrEqual(60);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('stay single if they have transparent parts', async () => {
    const path = join(folder, 'ring.png');
    await sharp(Buffer.from('<svg width="1200" height="900"><circle cx="600" cy="450" r="400" fill="#d02020"/></svg>'))
      .png()
      .toFile(path);
    const opaque = join(folder, 'opaque.webp');
    await sharp({ create: { width: 1200, height: 900, channels: 3, background: '#2040d0' } })
      .webp()
      .toFile(opaque);
    const [ring, plain] = [await suite.app.upload(path), await suite.app.upload(opaque)];
    const { page, faults } = await newPage();
    await enter(
      page,
      wall((index) => (index === 162 ? { file_id: ring.id } : index === 164 ? { file_id: plain.id } : {})),
    );
    await expect.poll(() => sharpWidth(page, 'No. 162'), { timeout: 20_000 }).toBeGreaterThanOrEqual(490);
    expect(await sharpWidth(page, 'No. 164')).toBe(0);
    const colorAt = async (name: string) => {
      const { x, y } = await placeOf(page, name);
      return pixelAt(await pixelsOf(page), x, y);
    };
    await expect.poll(async () => (await colorAt('No. 162'))[0]).toBeGreaterThan(180);
    await expect.poll(async () => (await colorAt('No. 164'))[2]).toBeGreaterThan(180);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
