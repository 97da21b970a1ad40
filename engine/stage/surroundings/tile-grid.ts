import type { PanoramaTiles } from '../../document/panorama.ts';
import type { Part } from './sphere.ts';

/** Lines of sight that are looked along, across and down: closer together than any tile is wide. */
const SIGHTS = { across: 9, down: 7 } as const;
/** How far past the edge of the screen is looked, as part of half of it: what comes into view next. */
const VIEW_MARGIN = 1.15;

/** A tile by its place. */
export interface Tile {
  column: number;
  row: number;
}

type Direction = readonly [x: number, y: number, z: number];

/** Place of a direction in a panorama, from 0 to 1 from its left and from its top; its middle lies along −z. */
export function panoramaPlaceOf([x, y, z]: Direction): { x: number; y: number } {
  const length = Math.hypot(x, y, z);
  return { x: Math.atan2(x, -z) / (2 * Math.PI) + 0.5, y: Math.acos(y / length) / Math.PI };
}

/** The part of the panorama that a tile shows. */
export function partOf({ width, height }: Pick<PanoramaTiles, 'width' | 'height'>, tile: Tile, size: number): Part {
  const left = (tile.column * size) / width;
  const top = (tile.row * size) / height;
  return { left, top, width: Math.min(size / width, 1 - left), height: Math.min(size / height, 1 - top) };
}

/** Half of what a camera sees, as tangents, and a way from its own directions to those of the world. */
export interface Sight {
  across: number;
  down: number;
  toWorld(direction: Direction): Direction;
}

/** The tiles that are seen, those in the middle of the screen first. */
export function tilesSeen(tiles: PanoramaTiles, size: number, { across, down, toWorld }: Sight): Tile[] {
  const seen = new Map<string, Tile & { distance: number }>();
  for (let i = 0; i < SIGHTS.across; i++) {
    for (let j = 0; j < SIGHTS.down; j++) {
      const x = ((2 * i) / (SIGHTS.across - 1) - 1) * VIEW_MARGIN;
      const y = ((2 * j) / (SIGHTS.down - 1) - 1) * VIEW_MARGIN;
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
 * Whether tiles would show more than the whole picture does.
 * @param pixels drawn pixels from the bottom of the screen to its top
 * @param down tangent of half the vertical field of view
 * @param wholeWidth width of the whole picture in pixels
 */
export function tilesShowMore(pixels: number, down: number, wholeWidth: number): boolean {
  // In the middle of the screen, where a pixel spans the largest angle.
  const perRadian = pixels / (2 * down);
  return perRadian > wholeWidth / (2 * Math.PI);
}
