import { copyUrl } from './copy-url.ts';
import type { FileReference } from './fields.ts';
import { COPY_WIDTHS, imageSizes, smallCopy } from './small-copy.ts';

/** Maximum width in pixels of a panorama that loads as one image. */
export const WHOLE_PANORAMA_WIDTH = 4096;
/** Side of a tile in pixels; tiles at the right and bottom edges may be smaller. */
export const PANORAMA_TILE = 1024;
/** Maximum cached tiles: 4 MB of GPU memory each. */
export const MAX_PANORAMA_TILES = 24;

/** An image cut into tiles, so that only the visible parts load. */
export interface PanoramaTiles {
  /** Size of the whole image in pixels. */
  width: number;
  height: number;
  columns: number;
  rows: number;
  /** URL of a tile; columns count from the left, rows from the top. */
  urlOf(column: number, row: number): string;
}

/** Sources of a panorama. */
export interface Panorama {
  /** URL of the first image: the whole panorama, at most 4096 pixels wide if it has tiles. */
  url: string;
  /** Width of that image in pixels, if known. */
  width: number | null;
  /** URL of the small copy shown while it loads. */
  small: string | undefined;
  tiles: PanoramaTiles | null;
}

/** Width in pixels of a panorama for visitors who save data. */
const LIGHT_WIDTH = COPY_WIDTHS[2];

/**
 * Chooses the sources of a panorama: wide images of the media library load as tiles.
 * @param isLight whether to load a smaller copy without tiles, to save data
 */
export function panoramaOf(file: FileReference, isLight = false): Panorama {
  const { url, width = null, height = null } = file;
  const small = smallCopy(url, file);
  const light = isLight ? imageSizes(url, file).find((size) => size.width === LIGHT_WIDTH) : undefined;
  if (light) return { ...light, small, tiles: null };
  if (!small || !width || !height || width <= WHOLE_PANORAMA_WIDTH) return { url, width, small, tiles: null };
  const tiles = {
    width,
    height,
    columns: Math.ceil(width / PANORAMA_TILE),
    rows: Math.ceil(height / PANORAMA_TILE),
    urlOf: (column: number, row: number) => copyUrl(url, 'tile', `${column}-${row}`),
  };
  return { url: copyUrl(url, 'tile', 'whole'), width: WHOLE_PANORAMA_WIDTH, small, tiles };
}
