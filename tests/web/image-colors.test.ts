import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { pixelAt, pixelsOf } from '../harness/picture.ts';
import { webSuite } from '../harness/web-suite.ts';
import { newGuest, plainRoom, visitTree } from './elements/play.ts';

const suite = webSuite();

type Rgb = readonly [red: number, green: number, blue: number];

/** Colors of a test image from left to right: saturated, skin, dark, and gray ones. */
const PATCHES: readonly Rgb[] = [
  [255, 0, 0],
  [0, 160, 70],
  [20, 60, 200],
  [224, 172, 150],
  [24, 20, 30],
  [250, 244, 210],
  [128, 128, 128],
  [255, 255, 255],
];
const SIDE = 80;

/** CIELAB of an sRGB color, D65 (IEC 61966-2-1, CIE 15). */
function lab(color: Rgb): [number, number, number] {
  const [red, green, blue] = color.map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  const curve = (value: number) => (value > 216 / 24_389 ? Math.cbrt(value) : (value * 24_389) / 27 / 116 + 16 / 116);
  const x = curve((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505);
  const y = curve(0.2126 * red + 0.7152 * green + 0.0722 * blue);
  const z = curve((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** Color difference ΔE*ab (CIE 1976). */
const difference = (one: Rgb, other: Rgb): number => {
  const [a, b] = [lab(one), lab(other)];
  return Math.hypot(...a.map((value, at) => value - b[at]!));
};

test.each(['png', 'jpeg'] as const)('an image that ignores light has exactly its own colors: %s', async (format) => {
  const patches = PATCHES.map(([r, g, b], at) => ({
    input: { create: { width: SIDE, height: SIDE, channels: 3 as const, background: { r, g, b } } },
    left: at * SIDE,
    top: 0,
  }));
  const create = { width: PATCHES.length * SIDE, height: SIDE, channels: 3 as const, background: '#000' };
  const image = sharp({ create }).composite(patches);
  const content = format === 'png' ? image.png() : image.jpeg({ quality: 100, chromaSubsampling: '4:4:4' });
  const path = join(tmpdir(), `enfilade-colors-${process.pid}.${format}`);
  await writeFile(path, await content.toBuffer());
  const { id: file_id } = await suite.app.upload(path);
  await rm(path);
  const guest = await newGuest(suite.app, suite.browser);
  const picture = { element: 'image', name: 'Colors', file_id, width: 320, height: 40, ignore_light: true } as const;
  // Lit surfaces would be darker, and tone mapping would dim white.
  await visitTree(suite.app, guest, [picture], { ...plainRoom, config: { ...plainRoom.config, ambient_light: 0.2 } });
  const worst = async () => {
    const pixels = await pixelsOf(guest.page);
    const perUnit = pixels.height / (2 * 400 * Math.tan((50 / 2) * (Math.PI / 180)));
    const seen = PATCHES.map((_, at) => {
      const x = pixels.width / 2 + (at - (PATCHES.length - 1) / 2) * 40 * perUnit;
      return pixelAt(pixels, Math.round(x), Math.round(pixels.height / 2));
    });
    return Math.max(...seen.map((color, at) => difference(color, PATCHES[at]!)));
  };
  await expect.poll(worst).toBeLessThanOrEqual(2);
  await guest.close();
});
