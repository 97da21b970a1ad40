import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { enterRoom, LOOKED_AT, newVisitor } from '../harness/browser.ts';
import { type Pixels, pixelAt, pixelsOf } from '../harness/picture.ts';
import { webSuite } from '../harness/web-suite.ts';

const [WIDTH, HEIGHT] = [8192, 4096];
/** Columns of the picture that are striped, around straight ahead; so finely that the whole picture cannot show it. */
const STRIPED = [3900, 4300] as const;

const suite = webSuite();
let folder: string;
let template_id: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'enfilade-tiles-'));
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 3);
  for (let y = 0, at = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++, at += 3) {
      const isStriped = x >= STRIPED[0] && x < STRIPED[1];
      pixels[at] = isStriped ? (x & 2) * 110 + 10 : (x * 255) / WIDTH;
      pixels[at + 1] = isStriped ? pixels[at]! : (y * 255) / HEIGHT;
      pixels[at + 2] = isStriped ? pixels[at]! : 128;
    }
  const file = join(folder, 'wide.jpg');
  await sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .jpeg({ quality: 92, chromaSubsampling: '4:4:4' })
    .toFile(file);
  const { id } = await suite.app.upload(file);
  const body = { name: 'Wide', model_type: 'pano' as const, file_id: id };
  template_id = (await suite.app.client.templates.create({ body })).id;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** How much neighboring pixels of the middle row differ where the picture is striped. */
function contrast(pixels: Pixels): number {
  let sum = 0;
  for (let x = 290; x < 350; x++) sum += Math.abs(pixelAt(pixels, x, 200)[0] - pixelAt(pixels, x + 1, 200)[0]);
  return sum / 60;
}

describe('a wide panorama', () => {
  test('comes whole first; tiles where the visitor looks make it sharp, in the same place', async () => {
    const config = { camera: { fov: 20, rotate: true, rotate_left_button: true } };
    const path = await suite.app.publish({ template_id, config });
    const { page, close, faults } = await newVisitor(suite.browser, LOOKED_AT);
    const tiles: string[] = [];
    let letTiles = () => {};
    const held = new Promise<void>((resolve) => {
      letTiles = resolve;
    });
    await page.route(/\?tile=\d+-\d+$/, async (route) => {
      tiles.push(new URL(route.request().url()).search);
      await held;
      await route.continue();
    });
    await enterRoom(page, suite.app.origin + path);
    await page.addStyleTag({ content: '#overlay { display: none }' });
    await expect.poll(() => tiles.length).toBe(4);
    expect(new Set(tiles)).toEqual(new Set(['?tile=3-1', '?tile=4-1', '?tile=3-2', '?tile=4-2']));
    const blurred = await pixelsOf(page);
    letTiles();
    await expect.poll(async () => contrast(await pixelsOf(page))).toBeGreaterThan(contrast(blurred) * 1.5);
    const sharpened = await pixelsOf(page);
    for (const [x, y] of [
      [40, 50],
      [100, 380],
      [560, 30],
      [600, 350],
      [600, 200],
    ] as const)
      for (const [index, value] of pixelAt(sharpened, x, y).entries())
        expect(Math.abs(value - pixelAt(blurred, x, y)[index]!), `${x},${y}`).toBeLessThan(4);

    await page.evaluate(() => {
      const { stage } = window.enfilade!;
      stage!.rig.turn(Math.PI / 2);
      stage!.invalidate();
    });
    await expect.poll(() => tiles.includes('?tile=2-1')).toBe(true);
    expect(tiles.length).toBeLessThan(20);
    expect(new Set(tiles).size).toBe(tiles.length);
    expect(faults).toEqual([]);
    await close();
  });

  test('a screen that the whole picture serves asks for no tile', async () => {
    const path = await suite.app.publish({ template_id, config: { camera: { fov: 75 } } });
    const { page, close } = await newVisitor(suite.browser, { ...LOOKED_AT, viewport: { width: 320, height: 200 } });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).search));
    const code = page.waitForResponse(/\/assets\/panorama-walk-/);
    await enterRoom(page, suite.app.origin + path);
    await code;
    // With the next frame they would be asked for.
    await page.evaluate(() => {
      const stage = window.enfilade!.stage!;
      const frames = stage.frames;
      stage.invalidate();
      return new Promise<void>((resolve) => {
        const look = () => {
          if (stage.frames > frames + 1) return resolve();
          stage.invalidate();
          requestAnimationFrame(look);
        };
        look();
      });
    });
    expect(asked.filter((search) => search.startsWith('?tile='))).toEqual(['?tile=whole']);
    await close();
  });

  test('zooming in makes it sharp where the whole picture no longer is', async () => {
    const config = { camera: { fov: 75, rotate: true, rotate_left_button: true, zoom: true } };
    const path = await suite.app.publish({ template_id, config });
    const { page, close } = await newVisitor(suite.browser, LOOKED_AT);
    await enterRoom(page, suite.app.origin + path);
    const tiles: string[] = [];
    page.on('request', (request) => {
      const { search } = new URL(request.url());
      if (/^\?tile=\d/.test(search)) tiles.push(search);
    });
    expect(tiles).toEqual([]);
    await page.mouse.move(320, 200);
    // Four times as close, which is as far as a visitor gets.
    for (let turn = 0; turn < 4; turn++) await page.mouse.wheel(0, -300);
    await expect.poll(() => tiles).toContain('?tile=3-1');
    expect(tiles.length).toBeLessThan(12);
    await close();
  });

  test('is uploaded a few megabytes per frame, so that no frame waits for it', async () => {
    const path = await suite.app.publish({ template_id, config: { camera: { fov: 20 } } });
    const { page, context } = await newVisitor(suite.browser, { ...LOOKED_AT, isNew: true });
    await page.addInitScript(() => {
      const frames: number[] = [0];
      const count = () => {
        frames.push(0);
        requestAnimationFrame(count);
      };
      requestAnimationFrame(count);
      const { prototype } = WebGL2RenderingContext;
      for (const [name, at] of [
        ['texSubImage2D', 4],
        ['texSubImage3D', 5],
      ] as const) {
        const upload = prototype[name] as (...given: unknown[]) => void;
        Object.assign(prototype, {
          [name](this: WebGL2RenderingContext, ...given: unknown[]) {
            // An image without a size is uploaded as a whole.
            const { width, height } = given.at(-1) as ImageBitmap;
            const [across, down] =
              given.length === 7 ? [width, height] : [given[at] as number, given[at + 1] as number];
            frames[frames.length - 1]! += across * down * 4;
            upload.apply(this, given);
          },
        });
      }
      Object.assign(window, { uploadedBytes: frames });
    });
    // The whole picture comes after the first frame.
    let send = () => {};
    const held = new Promise<void>((resolve) => {
      send = resolve;
    });
    await page.route(/\?tile=whole$/, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(suite.app.origin + path);
    await page.locator('#entrance.is-ready').waitFor();
    send();
    const uploaded = () => page.evaluate(() => (window as typeof window & { uploadedBytes: number[] }).uploadedBytes);
    const sum = async () => (await uploaded()).reduce((total, bytes) => total + bytes, 0);
    // The whole picture and four tiles.
    await expect.poll(sum).toBeGreaterThan((4096 * 2048 + 4 * 1024 * 1024) * 4);
    expect(Math.max(...(await uploaded()))).toBeLessThanOrEqual(5 * 2 ** 20);
    await context.close();
  });

  test('leaving the room frees every tile', async () => {
    const path = await suite.app.publish({ template_id, config: { camera: { fov: 30 } } });
    const empty = await suite.app.publish({ config: {} });
    const { page, close } = await newVisitor(suite.browser, LOOKED_AT);
    await enterRoom(page, suite.app.origin + path);
    await expect.poll(() => page.evaluate(() => window.enfilade!.stage!.memory.textures)).toBeGreaterThan(2);
    const stage = await page.evaluateHandle(() => window.enfilade!.stage!);
    await page.evaluate((slug) => {
      window.enfilade!.follow({ type: 'slug', type_config: { slug_one: slug, slug_two: '' } });
    }, empty.slice(1));
    await page.waitForURL(suite.app.origin + empty);
    await expect.poll(() => stage.evaluate((left) => left.memory.textures)).toBe(0);
    await close();
  });
});
