import type { PanoramaTiles } from '../../document/panorama.ts';
import type { Part } from './sphere.ts';

/** Number of sampled view rays, horizontally and vertically: more closely spaced than any tile is wide. */
const SAMPLES = { across: 9, down: 7 } as const;
/** Sampled area relative to the screen; above 1 to prefetch what comes into view next. */
const VIEW_MARGIN = 1.15;

/** Position of a tile. */
export interface Tile {
  column: number;
  row: number;
}

type Direction = readonly [x: number, y: number, z: number];

/** Position of a direction in a panorama, as fractions from its left and top; the center is along −z. */
export function panoramaPlaceOf([x, y, z]: Direction): { x: number; y: number } {
  const length = Math.hypot(x, y, z);
  return { x: Math.atan2(x, -z) / (2 * Math.PI) + 0.5, y: Math.acos(y / length) / Math.PI };
}

/** The part of the panorama that a tile covers. */
export function partOf({ width, height }: Pick<PanoramaTiles, 'width' | 'height'>, tile: Tile, size: number): Part {
  const left = (tile.column * size) / width;
  const top = (tile.row * size) / height;
  return { left, top, width: Math.min(size / width, 1 - left), height: Math.min(size / height, 1 - top) };
}

/** Tangents of half the field of view, and the rotation from camera to world space. */
export interface Sight {
  across: number;
  down: number;
  toWorld(direction: Direction): Direction;
}

/** Visible tiles, those in the center of the screen first. */
export function tilesSeen(tiles: PanoramaTiles, size: number, { across, down, toWorld }: Sight): Tile[] {
  const seen = new Map<string, Tile & { distance: number }>();
  for (let i = 0; i < SAMPLES.across; i++) {
    for (let j = 0; j < SAMPLES.down; j++) {
      const x = ((2 * i) / (SAMPLES.across - 1) - 1) * VIEW_MARGIN;
      const y = ((2 * j) / (SAMPLES.down - 1) - 1) * VIEW_MARGIN;
      const place = panoramaPlaceOf(toWorld([x * across, y * down, -1]));
      const column = Math.min(Math.floor((place.x * tiles.width) / size), tiles.columns - 1);
      const row = Math.min(Math.floor((place.y * tiles.height) / size), tiles.rows - 1);
      const key = `${column}-${row}`;
      const distance = Math.hypot(x, y);
      const known = seen.get(key);
      if (!known || distance < known.distance) seen.set(key, { column, row, distance });
    }
  }
  return [...seen.values()].sort((one, other) => one.distance - other.distance);
}

/**
 * Whether tiles would show more detail than the whole image.
 * @param pixels height of the canvas
 * @param down tangent of half the vertical field of view
 * @param wholeWidth width of the whole image in pixels
 */
export function tilesShowMore(pixels: number, down: number, wholeWidth: number): boolean {
  // At the center of the screen, where a pixel covers the largest angle.
  const perRadian = pixels / (2 * down);
  return perRadian > wholeWidth / (2 * Math.PI);
}
