import type { Page } from 'playwright';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { ssimOf } from '../../src/server/core/files/copies/ssim.ts';
import { enterRoom, LOOKED_AT, newVisitor } from '../harness/browser.ts';
import { buildRoom, plainRoom, type Written } from '../harness/canvas-page.ts';
import { type Pixels, partOf, pixelAt, pixelsOf } from '../harness/picture.ts';
import { quiet } from '../harness/quiet-page.ts';
import { webSuite } from '../harness/web-suite.ts';

const suite = webSuite();
const FRAME = { frame_width: 10, frame_color: '#C02020', mat_width: 10, mat_color: '#20C020', contact_shadow: 1 };
const wall: Written = { element: 'image', name: 'Wall', width: 900, height: 560, ignore_light: true };

const uploads = new Map<string, Promise<number>>();
const colored = (color: string) => {
  const make = async () => {
    const image = sharp({ create: { width: 400, height: 300, channels: 3, background: color } });
    const { id } = await suite.app.client.media.upload({
      body: {},
      files: { file: new File([new Uint8Array(await image.jpeg().toBuffer())], `${color}.jpg`) },
    });
    return id;
  };
  const upload = uploads.get(color) ?? make();
  uploads.set(color, upload);
  return upload;
};

async function enter(page: Page, elements: readonly Written[], config: Record<string, unknown> = {}): Promise<void> {
  const template = await suite.app.client.templates.create({ body: { name: 'Framed', config } });
  const { config: settings, ...room } = plainRoom();
  const { id } = await buildRoom(suite.app, elements, {
    ...room,
    template_id: template.id,
    config: { ...settings, pixelratio: null },
  });
  const { slug } = await suite.app.client.endpoints.create({ body: { name: `Frames ${id}`, room_id: id } });
  await enterRoom(page, `${suite.app.origin}/${slug}`);
  await page.addStyleTag({ content: '#overlay { display: none }' });
  await quiet(page);
}

const newPage = () => newVisitor(suite.browser, { ...LOOKED_AT, isNew: true });

/** Page pixel of a point at the distance of the wall of images, whose camera is 600 units away. */
const at = ({ width, height }: Pixels, x: number, y: number): [number, number] => {
  const perUnit = height / (2 * 600 * Math.tan((25 * Math.PI) / 180));
  return [width / 2 + x * perUnit, height / 2 - y * perUnit];
};
const colorAt = async (page: Page, x: number, y: number) => {
  const pixels = await pixelsOf(page);
  return pixelAt(pixels, ...at(pixels, x, y));
};
const isRed = ([r, g, b]: readonly number[]) => r! > 120 && g! < 80 && b! < 80;
const isGreen = ([r, g, b]: readonly number[]) => g! > 120 && r! < 80 && b! < 80;
const isBlue = ([r, g, b]: readonly number[]) => b! > 120 && r! < 80 && g! < 80;

/** A row of images on a white wall: 160 × 120 units, or 200 × 160 with their frames. */
async function scene(config: Record<string, unknown>): Promise<Written[]> {
  const [white, blue] = await Promise.all(['#ffffff', '#2020c0'].map(colored));
  return [
    { ...wall, file_id: white!, position_z: -210 },
    ...[-240, 0, 240].map(
      (position_x): Written => ({
        element: 'image',
        name: `Work ${position_x}`,
        file_id: blue!,
        width: 160,
        ignore_light: true,
        position_x,
        position_z: -200,
        config: position_x === 240 ? { frame_width: 0, contact_shadow: 0 } : config,
      }),
    ),
  ];
}

describe('framed images', () => {
  test.each([
    ['their own', FRAME, {}],
    ["their template's", {}, FRAME],
  ])('show frame, mat and a soft shadow by %s settings', async (_, own, ofTemplate) => {
    const { page, faults } = await newPage();
    await enter(page, await scene(own), ofTemplate);
    await expect.poll(async () => isBlue(await colorAt(page, 0, 0))).toBe(true);
    expect(isGreen(await colorAt(page, 85, 0))).toBe(true);
    expect(isRed(await colorAt(page, 95, 0))).toBe(true);
    expect(isRed(await colorAt(page, -240, -75))).toBe(true);
    const [below, far] = [await colorAt(page, 0, -86), await colorAt(page, 120, -140)];
    expect(below[0]).toBeLessThan(far[0] - 40);
    expect(Math.max(...below) - Math.min(...below)).toBeLessThan(8);
    // The last one has neither.
    expect((await colorAt(page, 240 + 85, 0))[0]).toBeGreaterThan(230);
    expect(faults).toEqual([]);
    // The frame belongs to the image.
    const [x, y] = at({ width: 640, height: 400 } as Pixels, 95, 0);
    await page.mouse.click(x, y);
    await page.locator('dialog[aria-label="Work 0"]').waitFor({ state: 'attached', timeout: 20_000 });
    await page.context().close();
  });

  test('2,000 of them take at most 60 draw calls; frames are hidden, moved and removed with their images', async () => {
    const colors = await Promise.all(['#2020c0', '#20a0a0', '#a020a0'].map(colored));
    const works = Array.from({ length: 2000 }, (_, index): Written => {
      const [column, row] = [index % 50, Math.floor(index / 50)];
      return {
        element: 'image',
        name: `No. ${index}`,
        file_id: colors[index % 3]!,
        width: 10,
        ignore_light: index % 2 === 0,
        position_x: column * 16 - 392,
        position_y: row * 13 - 254,
        position_z: -200,
        config: { ...FRAME, frame_width: 2, mat_width: 0 },
      };
    });
    const { page, faults } = await newPage();
    await enter(page, works);
    // No. 1000 has its center at (-392, 6).
    const frame = () => colorAt(page, -392 + 6, 6);
    await expect.poll(async () => isRed(await frame()), { timeout: 30_000 }).toBe(true);
    expect((await page.evaluate(() => window.enfilade!.stage!.drawn)).calls).toBeLessThanOrEqual(60);
    const id = await page.evaluate(
      () => window.enfilade!.stage!.scene.room.elements.find(({ name }) => name === 'No. 1000')!.id,
    );
    const { client } = suite.app;
    await client.elements.hide({ params: { id, hidden: '1' } });
    await expect.poll(async () => isRed(await frame()), { timeout: 20_000 }).toBe(false);
    await client.elements.hide({ params: { id, hidden: '0' } });
    await expect.poll(async () => isRed(await frame()), { timeout: 20_000 }).toBe(true);
    await client.elements.update({ params: { id }, body: { position_y: 280 } });
    await expect.poll(async () => isRed(await colorAt(page, -392 + 6, 280)), { timeout: 20_000 }).toBe(true);
    expect(isRed(await frame())).toBe(false);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

describe('plaques in rooms with many images', () => {
  test.each([
    ['straight on', 0],
    ['at 30 degrees', Math.PI / 6],
  ])('are as readable %s as with four times as many pixels', async (_, rotation_y) => {
    const file_id = await colored('#2020c0');
    const caption = { caption_style: 'plaque', caption_side: 'below', caption_width: 220, title_size: 14 } as const;
    const texts = { title: 'Study of light', author: 'Margarethe van der Linden', text: 'Oil on canvas, 1893' };
    const works = Array.from({ length: 45 }, (_, index): Written => {
      const position_x = (index % 15) * 230 - 1610;
      const position_y = 30 + Math.floor(index / 15) * 250;
      return { element: 'image', file_id, width: 120, position_x, position_y, config: { ...texts, ...caption } };
    });
    const elements: Written[] = [{ element: 'group', name: 'Wall', rotation_y, position_z: -200, children: works }];
    const seen = await Promise.all(
      [1, 2].map(async (deviceScaleFactor) => {
        const { page } = await newVisitor(suite.browser, { deviceScaleFactor, isNew: true });
        await enter(page, elements);
        const pixels = await pixelsOf(page);
        await page.context().close();
        const { data, width, height } = pixels;
        const raw = { raw: { width, height, channels: 3 as const } };
        const same = await sharp(data, raw).resize(640, 400, { kernel: 'cubic' }).raw().toBuffer();
        return partOf({ data: same, width: 640, height: 400 }, 240, 210, 160, 70);
      }),
    );
    const [one, other] = seen.map((part) => ({ ...part, channels: 3 }));
    const similarity = ssimOf(one!, other!);
    console.log(`Plaque, ${rotation_y === 0 ? 'straight on' : '30°'}: SSIM ${similarity.toFixed(3)}.`);
    expect(similarity).toBeGreaterThan(0.95);
  });
});
