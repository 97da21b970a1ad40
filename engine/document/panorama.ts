import type { FileReference } from './fields.ts';
import { smallCopy } from './small-copy.ts';

/** Width up to which a panorama is loaded as one picture, in pixels. */
export const WHOLE_PANORAMA = 4096;
/** Sides of a tile in pixels; those at the right and at the bottom may be smaller. */
export const PANORAMA_TILE = 1024;
/** Tiles that are kept at most: 4 MB each on the graphics card. */
export const PANORAMA_TILES_KEPT = 24;

/** A picture cut into tiles, for those parts of it that are looked at. */
export interface PanoramaTiles {
  /** Sides of the whole picture in pixels. */
  width: number;
  height: number;
  columns: number;
  rows: number;
  /** Address of a tile, counted from the left and from the top. */
  urlOf(column: number, row: number): string;
}

/** How a panorama is loaded. */
export interface Panorama {
  /** Address of the picture that is drawn first: all of it, at most 4096 pixels wide where it has tiles. */
  url: string;
  /** Width of that picture in pixels, where it is known. */
  width: number | null;
  /** Address of the small copy that stands in until it has come. */
  small: string | undefined;
  tiles: PanoramaTiles | null;
}

/** How the panorama in a file is loaded: wide ones of the media library in tiles. */
export function panoramaOf(file: FileReference): Panorama {
  const { url, width = null, height = null, part } = file;
  const small = smallCopy(url, file);
  // A part is small enough, and tiles are counted on the whole sphere.
  if (!small || !width || !height || part || width <= WHOLE_PANORAMA) return { url, width, small, tiles: null };
  const tiles = {
    width,
    height,
    columns: Math.ceil(width / PANORAMA_TILE),
    rows: Math.ceil(height / PANORAMA_TILE),
    urlOf: (column: number, row: number) => `${url}?tile=${column}-${row}`,
  };
  return { url: `${url}?tile=whole`, width: WHOLE_PANORAMA, small, tiles };
}
