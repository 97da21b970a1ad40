import { join } from 'node:path';
import { PANORAMA_TILE, WHOLE_PANORAMA_WIDTH } from '../../../../../engine/document/panorama.ts';
import { openImage, readHeader } from '../inspect/image.ts';
import { WHOLE } from './kept-names.ts';

/** JPEG quality of tiles, 1 to 100: they are viewed at full size. */
const QUALITY = 85;

/** A thumbnail to draw. */
interface Thumbnail {
  source: string;
  target: string;
  /** Pixels. */
  width: number;
  /** 1 to 100. */
  quality: number;
  /** Blur radius in pixels of the thumbnail; sharp if undefined. */
  blur?: number | undefined;
}

/** Draws a smaller WebP copy of an image. Images are never enlarged. */
export async function drawThumbnail({ source, target, width, quality, blur }: Thumbnail): Promise<void> {
  await readHeader(source, 'user');
  const copy = openImage(source).resize({ width, withoutEnlargement: true });
  if (blur) copy.blur(blur);
  await copy.webp({ quality }).toFile(target);
}

/**
 * Cuts a wide image into tiles, plus a smaller copy of the whole.
 * @param target an existing folder
 * @returns whether it is wide enough for tiles; otherwise nothing is written
 */
export async function cutTiles({ source, target }: { source: string; target: string }): Promise<boolean> {
  const { width } = await readHeader(source, 'user');
  if (width <= WHOLE_PANORAMA_WIDTH) return false;
  const tile = { size: PANORAMA_TILE, overlap: 0, layout: 'dz', depth: 'one', container: 'fs' } as const;
  await openImage(source).jpeg({ quality: QUALITY }).tile(tile).toFile(join(target, 'picture.dz'));
  await openImage(source)
    .resize({ width: WHOLE_PANORAMA_WIDTH })
    .jpeg({ quality: QUALITY })
    .toFile(join(target, WHOLE));
  return true;
}
