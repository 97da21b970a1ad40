import { stat, writeFile } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import { openImage, readHeader } from '../inspect/image.ts';
import { type RawImage, ssimOf } from './ssim.ts';

/** Minimum similarity to the stored image. */
export const MIN_SSIM = 0.97;
/** Maximum size relative to the stored image: for less, another file isn't worth its space. */
const MAX_SHARE = 0.9;
/**
 * Range of qualities, 1 to 100, and distance between those that are tried. Below the lowest, gradients show blocks, which
 * the similarity hardly counts.
 */
const QUALITIES = { lowest: 42, highest: 90, step: 4 } as const;
/** Similarity of the sample from which a quality is expected to suffice for the whole image. */
const SAMPLE_SSIM = 0.972;
/** Similarity of the whole image from which a lower quality is tried, too. */
const AMPLE_SSIM = 0.976;
/** Number of qualities tried on the whole image. */
const TRIES = 3;
/** Pixels up to which the whole image is the sample; of larger ones it is a grid of squares with this side. */
const SAMPLED_PIXELS = 600_000;
const SQUARE = 256;
const GRID = 3;
/** Maximum pixels of an image as a whole, whose encoders hold it several times. */
const MAX_PIXELS = 24_000_000;

/** A lighter version to make. */
interface Order {
  source: string;
  target: string;
  format: 'avif' | 'webp';
  /** Width in pixels of a smaller copy; undefined for the whole image. */
  width?: number | undefined;
}

/** Its size in bytes and its similarity, or why it was not made. */
export type Lightened = { bytes: number; ssim: number } | { reason: string };

/** Encoder settings: speed before the last percents, because every upload is encoded. */
const encode = (image: Sharp, format: Order['format'], quality: number, hasHalfColors: boolean): Sharp =>
  format === 'avif'
    ? image.avif({ quality, effort: 3, chromaSubsampling: hasHalfColors ? '4:2:0' : '4:4:4' })
    : image.webp({ quality, effort: 4, smartSubsample: !hasHalfColors });

async function rawOf(image: Sharp): Promise<RawImage> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels };
}

const opened = ({ data, width, height, channels }: RawImage): Sharp =>
  sharp(data, { raw: { width, height, channels: channels as 1 | 2 | 3 | 4 } });

/** Squares of an image in a grid, as one image. */
function sampleOf(image: RawImage): RawImage {
  const { data, width, height, channels } = image;
  if (width * height <= SAMPLED_PIXELS || Math.min(width, height) < SQUARE * GRID) return image;
  const side = SQUARE * GRID;
  const sample = new Uint8Array(side * side * channels);
  const offset = (index: number, length: number) => Math.floor(((length - SQUARE) * index) / (GRID - 1));
  for (let row = 0; row < side; row++)
    for (let column = 0; column < GRID; column++) {
      const y = offset(Math.floor(row / SQUARE), height) + (row % SQUARE);
      const from = (y * width + offset(column, width)) * channels;
      sample.set(data.subarray(from, from + SQUARE * channels), (row * side + column * SQUARE) * channels);
    }
  return { data: sample, width: side, height: side, channels };
}

/**
 * Encodes an image in a lighter format, in the lowest quality with the minimum similarity.
 * @returns why it was not made, if it is animated, has too many pixels, or would hardly be smaller
 */
export async function lightenImage({ source, target, format, width }: Order): Promise<Lightened> {
  const header = await readHeader(source, 'user');
  if (header.frames > 1 || header.format === 'gif') return { reason: 'Animated images are kept as they are.' };
  if (header.format === 'heif') return { reason: 'AVIF is already a light format.' };
  if (width === undefined && header.width * header.height > MAX_PIXELS)
    return { reason: `Images with more than ${MAX_PIXELS / 1_000_000} million pixels are kept as they are.` };
  const whole = openImage(source).toColorspace('srgb');
  const image = await rawOf(width === undefined ? whole : whole.resize({ width, withoutEnlargement: true }));
  const hasHalfColors = header.chromaSubsampling === '4:2:0';
  const most =
    width === undefined
      ? (await stat(source)).size * MAX_SHARE
      : (await opened(image).webp({ quality: 80 }).toBuffer()).length;
  const attempt = async (raw: RawImage, quality: number) => {
    const content = await encode(opened(raw), format, quality, hasHalfColors).toBuffer();
    const decoded = await rawOf(sharp(content, { limitInputPixels: MAX_PIXELS }).toColorspace('srgb'));
    return { content, ssim: ssimOf(raw, decoded) };
  };
  const sample = sampleOf(image);
  let low = 0;
  let high = (QUALITIES.highest - QUALITIES.lowest) / QUALITIES.step;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const { ssim } = await attempt(sample, QUALITIES.lowest + middle * QUALITIES.step);
    if (ssim >= SAMPLE_SSIM) high = middle;
    else low = middle + 1;
  }
  let best: Awaited<ReturnType<typeof attempt>> | undefined;
  for (let tries = 0, index = low; tries < TRIES && index >= 0; tries++) {
    const made = await attempt(image, QUALITIES.lowest + index * QUALITIES.step);
    if (made.ssim < MIN_SSIM) {
      if (best) break;
      index++;
    } else {
      best = made;
      if (made.ssim < AMPLE_SSIM) break;
      index--;
    }
  }
  if (!best || best.content.length > most)
    return { reason: 'No other format is at least 10 % smaller in the same quality.' };
  await writeFile(target, best.content);
  return { bytes: best.content.length, ssim: best.ssim };
}
