import { stat, writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { SHEET } from '../../../../../engine/document/sheet-layout.ts';
import { openImage } from '../inspect/image.ts';

/** WebP quality, 1 to 100: stages show the images in the size in which they are packed. */
const QUALITY = 85;
const CHANNELS = 4;

/** Draws one image into a sheet of raw pixels, stretched to a square. */
async function drawCell(sheet: Uint8Array, source: string, index: number): Promise<void> {
  const { side, columns } = SHEET;
  const cell = await openImage(source)
    .resize({ width: side, height: side, fit: 'fill' })
    .toColorspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer();
  const left = (index % columns) * side;
  const top = Math.floor(index / columns) * side;
  for (let row = 0; row < side; row++) {
    const from = row * side * CHANNELS;
    const to = ((top + row) * columns * side + left) * CHANNELS;
    sheet.set(cell.subarray(from, from + side * CHANNELS), to);
  }
}

/**
 * Packs images into a sheet as WebP; see `SHEET`.
 * @param sources paths of small images; null leaves a transparent place, as an image that can't be read does
 * @returns size of the sheet in bytes
 */
export async function packSheet({ sources, target }: { sources: (string | null)[]; target: string }): Promise<number> {
  const { side, columns } = SHEET;
  const width = columns * side;
  const height = Math.ceil(sources.length / columns) * side;
  const sheet = new Uint8Array(width * height * CHANNELS);
  for (const [index, source] of sources.entries())
    if (source !== null) await drawCell(sheet, source, index).catch(() => undefined);
  const content = await sharp(sheet, { raw: { width, height, channels: CHANNELS } })
    .webp({ quality: QUALITY, alphaQuality: 100 })
    .toBuffer();
  await writeFile(target, content);
  return (await stat(target)).size;
}
