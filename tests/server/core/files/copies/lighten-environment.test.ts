import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeExr } from 'hdrify';
import { DataUtils } from 'three';
import { EXRLoader } from 'three/addons/loaders/EXRLoader.js';
import { HDRLoader } from 'three/addons/loaders/HDRLoader.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Workers } from '../../../../../src/server/core/files/workers/workers.ts';
import { asset, hasOpenAssets } from '../../../../web/elements/play.ts';

type Color = [number, number, number];
interface Picture {
  width: number;
  height: number;
  data: ArrayLike<number>;
}

/** A low panorama, to be fast: a sky with a gradient, a small bright sun and dark ground. */
function skyAt(x: number, y: number, width: number, height: number): Color {
  const isSun = Math.hypot(x - width * 0.3, y - height * 0.25) < width / 200;
  if (isSun) return [9000, 8000, 6000];
  const up = 1 - y / height;
  return up > 0.5 ? [up * 0.4, up * 0.6, up] : [0.05, 0.04 + 0.02 * Math.sin(x / 7), 0.03];
}

const header = (width: number, height: number) =>
  Buffer.from(`#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y ${height} +X ${width}\n`);

/** A Radiance file of pixels as they are. */
function flatRadiance(width: number, height: number, colorAt = skyAt): Buffer {
  const pixels = Buffer.alloc(width * height * 4);
  for (let at = 0; at < width * height; at++) {
    const color = colorAt(at % width, Math.floor(at / width), width, height);
    const exponent = Math.ceil(Math.log2(Math.max(...color)));
    pixels.set([...color.map((value) => Math.round((value / 2 ** exponent) * 255)), exponent + 128], at * 4);
  }
  return Buffer.concat([header(width, height), pixels]);
}

/** The same as rooms do: https://threejs.org/docs/#HDRLoader */
function decoded(file: Buffer, isExr: boolean): Picture {
  const bytes = new Uint8Array(file).buffer;
  const { width = 0, height = 0, data } = isExr ? new EXRLoader().parse(bytes) : new HDRLoader().parse(bytes);
  return { width, height, data: Float32Array.from(data as Uint16Array, (half) => DataUtils.fromHalfFloat(half)) };
}

/** Irradiance of a surface with a normal, of all directions of an equirectangular map. */
function irradiance({ width, height, data }: Picture, normal: Color, isBottomUp: boolean): Color {
  const sum: Color = [0, 0, 0];
  for (let y = 0; y < height; y++) {
    const polar = (Math.PI * (y + 0.5)) / height;
    const weight = Math.sin(polar) * (Math.PI / height) * ((2 * Math.PI) / width);
    const row = isBottomUp ? height - 1 - y : y;
    for (let x = 0; x < width; x++) {
      const around = (2 * Math.PI * (x + 0.5)) / width;
      const direction = [Math.sin(polar) * Math.cos(around), Math.cos(polar), Math.sin(polar) * Math.sin(around)];
      const cosine = direction.reduce((total, value, axis) => total + value * normal[axis]!, 0);
      if (cosine > 0)
        for (let color = 0; color < 3; color++) sum[color]! += data[(row * width + x) * 4 + color]! * weight * cosine;
    }
  }
  return sum;
}

const NORMALS: Color[] = [
  [0, 1, 0],
  [0, -1, 0],
  [1, 0, 0],
  [-0.6, 0, 0.8],
];

describe('smaller environments', () => {
  let folder: string;
  const workers = new Workers();
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'enfilade-environment-'));
  });
  afterAll(async () => {
    await workers.close();
    await rm(folder, { recursive: true, force: true });
  });

  const target = () => join(folder, 'out');
  const lighten = async (content: Buffer | Uint8Array) => {
    const source = join(folder, 'in');
    await writeFile(source, content);
    return workers.run('lightenEnvironment', { source, target: target() });
  };

  /** Compares the light of a file and its smaller version. */
  async function expectSameLight(file: Buffer, isExr: boolean): Promise<void> {
    const found = await lighten(file);
    expect(found).toMatchObject({ bytes: expect.any(Number) });
    const [before, after] = [decoded(file, isExr), decoded(await readFile(target()), isExr)];
    expect([after.width, after.height]).toEqual([2048, 256]);
    for (const normal of NORMALS) {
      const [then, now] = [before, after].map((picture) => irradiance(picture, normal, isExr));
      for (let color = 0; color < 3; color++)
        expect(Math.abs(now![color]! / then![color]! - 1), `${normal} ${color}`).toBeLessThan(0.005);
    }
    if (!('bytes' in found)) return;
    expect(found.gpuAfter / found.gpuBefore).toBeCloseTo(0.25, 2);
  }

  test('a Radiance map lights a room as before, with a quarter of the memory', async () => {
    await expectSameLight(flatRadiance(4096, 512), false);
    // It is run-length encoded, so it can be read again: as it has its size already, it is kept.
    await copyFile(target(), join(folder, 'again'));
    const again = await workers.run('lightenEnvironment', { source: join(folder, 'again'), target: target() });
    expect(again).toEqual({ reason: 'The environment is no larger than rooms need.' });
  }, 120_000);

  test.each(['zip', 'piz', 'dwaa'] as const)(
    'an OpenEXR map with %s lights a room as before',
    async (name) => {
      const [width, height] = [4096, 512];
      const data = new Float32Array(width * height * 4).fill(1);
      for (let at = 0; at < width * height; at++)
        data.set(skyAt(at % width, Math.floor(at / width), width, height), at * 4);
      const image = { width, height, data, linearColorSpace: 'linear-rec709' } as const;
      await expectSameLight(Buffer.from(writeExr(image, { compression: name })), true);
    },
    120_000,
  );

  test('a width that is no power of two becomes the one that rooms use', async () => {
    await lighten(flatRadiance(1900, 950));
    expect(decoded(await readFile(target()), false)).toMatchObject({ width: 1024, height: 512 });
  });

  const damagedFile = { code: 'bad_file' };
  const zeros = Buffer.alloc(64);
  const line = (width: number) => [2, 2, width >> 8, width & 255];
  test.each([
    ['with a size that lies', Buffer.concat([header(8000, 4000), zeros])],
    ['cut off in its pixels', flatRadiance(2400, 1200).subarray(0, -5)],
    ['cut off after its header', header(4096, 2048)],
    [
      'whose run crosses the end of a line',
      Buffer.concat([header(4096, 2), Buffer.from([...line(4096), 255, 1, 255])]),
    ],
    ['whose run is cut off', Buffer.concat([header(4096, 2), Buffer.from([...line(4096), 255])])],
    ['with a run of nothing', Buffer.concat([header(4096, 2), Buffer.from([...line(4096), 0, 0, 0]), zeros])],
    ['whose lines have another width', Buffer.concat([header(4096, 2), Buffer.from(line(4000)), zeros])],
    ['of a billion pixels', Buffer.concat([header(40_000, 25_000), zeros])],
    ['without a size', Buffer.from('#?RADIANCE\n\n')],
  ])('a Radiance file %s is refused', async (_, content) => {
    await expect(lighten(content)).rejects.toMatchObject(damagedFile);
  });

  test('old run-length encoding is refused with a reason', async () => {
    const pixels = Buffer.from([10, 20, 30, 128, 1, 1, 1, 200]);
    expect(await lighten(Buffer.concat([header(4096, 2048), pixels]))).toEqual({
      reason: 'The HDR file uses an old run-length encoding. Export it again.',
    });
  });

  test('too many pixels are refused with a reason, before they are decoded', async () => {
    expect(await lighten(Buffer.concat([header(8192, 8192), zeros]))).toEqual({
      reason: 'Environments with more than 34 million pixels are kept as they are.',
    });
  });

  test('damaged and unusual OpenEXR files are refused', async () => {
    const [width, height] = [2400, 64];
    const image = {
      width,
      height,
      data: new Float32Array(width * height * 4).fill(0.5),
      linearColorSpace: 'linear-rec709',
    };
    const exr = Buffer.from(writeExr(image as Parameters<typeof writeExr>[0], { compression: 'zip' }));
    const changed = (change: (bytes: Buffer) => unknown) => {
      const bytes = Buffer.from(exr);
      const made = change(bytes);
      return made instanceof Buffer ? made : bytes;
    };
    const offsetOf = (name: string) => exr.indexOf(name) + name.length;
    const window = offsetOf('dataWindow\0box2i\0') + 4;
    const compression = offsetOf('compression\0compression\0') + 4;
    await expect(lighten(changed((bytes) => bytes.subarray(0, -10)))).rejects.toMatchObject(damagedFile);
    await expect(lighten(changed((bytes) => bytes.fill(255, bytes.length - 40)))).rejects.toMatchObject(damagedFile);
    // Taller than it is.
    await expect(lighten(changed((bytes) => bytes.writeInt32LE(4000, window + 12)))).rejects.toMatchObject(damagedFile);
    // Another compression than that of its blocks.
    await expect(lighten(changed((bytes) => bytes.writeUInt8(2, compression)))).rejects.toMatchObject(damagedFile);
    const reasonOf = async (change: (bytes: Buffer) => void) => {
      const found = await lighten(changed(change));
      return 'reason' in found ? found.reason : '';
    };
    expect(await reasonOf((bytes) => bytes.writeUInt8(77, compression))).toContain('unknown compression');
    expect(await reasonOf((bytes) => bytes.writeUInt8(2, 5))).toContain('tiles');
    const shift = (bytes: Buffer) => {
      bytes.writeInt32LE(10, window);
      bytes.writeInt32LE(width + 9, window + 8);
    };
    expect(await reasonOf(shift)).toContain("doesn't start at 0");
  });

  test('an OpenEXR file with NaN is refused', async () => {
    const data = new Float32Array(2400 * 64 * 4).fill(0.5);
    data[5000] = Number.NaN;
    const image = { width: 2400, height: 64, data, linearColorSpace: 'linear-rec709' } as const;
    await expect(lighten(writeExr(image, { compression: 'zip', sanitize: false }))).rejects.toMatchObject(damagedFile);
  });

  test.skipIf(!hasOpenAssets)('real files of the size that rooms need are kept', async () => {
    for (const name of ['artist_workshop_1k.hdr', 'blender-interior.exr'])
      expect(await lighten(await readFile(asset(`env/${name}`)))).toEqual({
        reason: 'The environment is no larger than rooms need.',
      });
  });
});
