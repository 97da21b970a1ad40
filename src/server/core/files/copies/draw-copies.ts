import { join } from 'node:path';
import { PANORAMA_TILE, WHOLE_PANORAMA_WIDTH } from '../../../../../engine/document/panorama.ts';
import { openImage, readHeader } from '../inspect/image.ts';
import { WHOLE } from './kept-names.ts';

/** Quality of tiles, 1 to 100: they are seen at their own size. */
const QUALITY = 85;

/** A smaller copy of a picture to be made. */
interface Thumbnail {
  source: string;
  target: string;
  /** Pixels. */
  width: number;
  /** 1 to 100. */
  quality: number;
  /** Pixels of the copy over which it is blurred; sharp without. */
  blur?: number | undefined;
}

/** Makes a smaller copy of a picture as WebP. Pictures are never made larger. */
export async function drawThumbnail({ source, target, width, quality, blur }: Thumbnail): Promise<void> {
  await readHeader(source, 'user');
  const copy = openImage(source).resize({ width, withoutEnlargement: true });
  if (blur) copy.blur(blur);
  await copy.webp({ quality }).toFile(target);
}

/**
 * Cuts a wide picture into tiles, with a copy of the whole made smaller.
 * @param target folder that is there
 * @returns whether it is wide enough to have tiles; nothing is made where it is not
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
