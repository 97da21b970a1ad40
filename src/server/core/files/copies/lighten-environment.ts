import { readFile, stat, writeFile } from 'node:fs/promises';
import { readExr, writeExr } from 'hdrify';
import { exrLayout, isExr } from '../inspect/exr-values.ts';
import { environmentSize } from '../inspect/hdr.ts';
import { damaged } from '../inspect/inspection.ts';
import { readRadiance, writeRadiance } from './radiance.ts';

/**
 * Width in pixels of the largest map that rooms need: three.js filters an equirectangular map of this width into cube
 * faces of a quarter, 512 pixels, which are 0.18° per pixel in a mirror.
 */
const MAX_WIDTH = 2048;
/** Minimum side of these faces in pixels: https://threejs.org/docs/#api/en/extras/PMREMGenerator */
const MIN_FACE = 256;
/** Maximum pixels of a file that is decoded. */
const MAX_PIXELS = 8192 * 4096;
/** Maximum size relative to the stored file. */
const MAX_SHARE = 0.9;
/** The largest half float: brighter values are cut when rooms load them, so before averaging, too. */
const MAX_HALF = 65_504;
/** Bytes per pixel in GPU memory: four half floats. */
const PIXEL_BYTES = 8;
/** Bytes from the start of a file that contain its header. */
const HEAD = 256 * 1024;

/** The sizes of a smaller environment in bytes, or why there is none. */
export type LightenedEnvironment = { bytes: number; gpuBefore: number; gpuAfter: number } | { reason: string };

interface Size {
  width: number;
  height: number;
}

/** Side in pixels of the cube faces into which three.js filters a map: a quarter of its width, as a power of two. */
const faceOf = (width: number): number => Math.max(MIN_FACE, 2 ** Math.floor(Math.log2(width / 4)));

/** GPU memory in bytes of a map as half floats, and of its filtered cube with its levels. */
const gpuBytes = ({ width, height }: Size): number =>
  PIXEL_BYTES * (width * height + Math.round((6 * faceOf(width) ** 2 * 4) / 3));

/** Averages the lines of a map over the solid angle of each pixel of a smaller one, in linear light. */
class Averager {
  readonly #from: Size;
  readonly #to: Size;
  readonly #sums: Float64Array;
  readonly #weights: Float64Array;
  readonly #across: Float64Array;

  constructor(from: Size, to: Size) {
    this.#from = from;
    this.#to = to;
    this.#sums = new Float64Array(to.width * to.height * 3);
    this.#weights = new Float64Array(to.height);
    this.#across = new Float64Array(to.width * 3);
  }

  /** @param line red, green and blue values */
  add(y: number, line: ArrayLike<number>, pixel = 3): void {
    const { width } = this.#to;
    const ratio = this.#from.width / width;
    this.#across.fill(0);
    for (let x = 0; x < width; x++) {
      const [start, end] = [x * ratio, Math.min((x + 1) * ratio, this.#from.width)];
      for (let at = Math.floor(start); at < end; at++) {
        const share = (Math.min(at + 1, end) - Math.max(at, start)) / ratio;
        for (let color = 0; color < 3; color++)
          this.#across[x * 3 + color]! += Math.min(line[at * pixel + color]!, MAX_HALF) * share;
      }
    }
    const down = this.#from.height / this.#to.height;
    for (let row = Math.floor(y / down); row < this.#to.height && row * down < y + 1; row++) {
      const [top, bottom] = [Math.max(y, row * down), Math.min(y + 1, (row + 1) * down)];
      if (bottom <= top) continue;
      const angle = (line: number) => Math.cos((Math.PI * line) / this.#from.height);
      const weight = angle(top) - angle(bottom);
      this.#weights[row]! += weight;
      const start = row * width * 3;
      for (let at = 0; at < this.#across.length; at++) this.#sums[start + at]! += this.#across[at]! * weight;
    }
  }

  /** Red, green, blue and alpha of each pixel. */
  result(): Size & { data: Float32Array } {
    const { width, height } = this.#to;
    const data = new Float32Array(width * height * 4).fill(1);
    for (let at = 0; at < width * height; at++)
      for (let color = 0; color < 3; color++)
        data[at * 4 + color] = this.#sums[at * 3 + color]! / this.#weights[Math.floor(at / width)]!;
    return { width, height, data };
  }
}

/** @throws ApiError bad_file if it is damaged */
function readPixels(file: Buffer, size: Size): ReturnType<typeof readExr> {
  let image: ReturnType<typeof readExr>;
  try {
    image = readExr(file, { sanitize: false });
  } catch {
    throw damaged("The EXR file is damaged, or its compression can't be decoded.");
  }
  if (image.width !== size.width || image.height !== size.height) throw damaged('The EXR file is damaged.');
  if (!image.data.every(Number.isFinite))
    throw damaged("The EXR file contains values that aren't finite (NaN or infinity).");
  return image;
}

/**
 * Reduces an environment to the size that rooms use, in the format of the file: Radiance HDR, or OpenEXR with half floats
 * and ZIP compression.
 * @returns why there is none, if it is small already or can't be decoded
 * @throws ApiError bad_file if it is damaged
 */
export async function lightenEnvironment({
  source,
  target,
}: {
  source: string;
  target: string;
}): Promise<LightenedEnvironment> {
  const { size: bytes } = await stat(source);
  const file = await readFile(source);
  const head = file.subarray(0, HEAD);
  const { width, height, end } = environmentSize(head, isExr(head));
  if (width * height > MAX_PIXELS)
    return {
      reason: `Environments with more than ${Math.round(MAX_PIXELS / 1e6)} million pixels are kept as they are.`,
    };
  const reduced = Math.min(4 * faceOf(width), MAX_WIDTH);
  if (reduced >= width) return { reason: 'The environment is no larger than rooms need.' };
  const to = { width: reduced, height: Math.max(1, Math.round((height * reduced) / width)) };
  const averager = new Averager({ width, height }, to);
  let content: Uint8Array;
  if (isExr(head)) {
    const obstacle = exrLayout(file, height);
    if (obstacle) return { reason: obstacle };
    const { data, linearColorSpace } = readPixels(file, { width, height });
    for (let y = 0; y < height; y++) averager.add(y, data.subarray(y * width * 4, (y + 1) * width * 4), 4);
    content = writeExr({ ...averager.result(), linearColorSpace }, { compression: 'zip', sanitize: false });
  } else {
    const obstacle = readRadiance(file, end, { width, height }, (y, line) => averager.add(y, line));
    if (obstacle) return { reason: obstacle };
    content = writeRadiance(averager.result());
  }
  if (content.length > bytes * MAX_SHARE) return { reason: 'The environment would hardly be lighter.' };
  await writeFile(target, content);
  return { bytes: content.length, gpuBefore: gpuBytes({ width, height }), gpuAfter: gpuBytes(to) };
}
