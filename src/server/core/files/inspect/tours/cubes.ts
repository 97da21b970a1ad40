import type { CubeFace, PanoramaSource } from '../../../../../contract/entities.ts';
import { CUBE_FACES, MAX_CUBE_TILES } from '../../../../../contract/tour-limits.ts';
import { UnusablePlace } from './imported-tour.ts';

/** Maximum side of a face in pixels; larger ones are made smaller. Six of them take 302 MB of the decoder's 1 GB. */
export const MAX_FACE = 4096;

/** Sides of the faces and tiles of a level, and its number in the configuration. */
export interface CubeLevel {
  size: number;
  tile: number;
  number: number;
}

/** The largest level that fits, or else the smallest. @throws UnusablePlace without levels */
export function bestLevel(levels: readonly CubeLevel[]): CubeLevel {
  const sorted = levels.filter(({ size, tile }) => size >= 1 && tile >= 1).toSorted((a, b) => a.size - b.size);
  const best = sorted.findLast(({ size }) => size <= MAX_FACE) ?? sorted[0];
  if (!best) throw new UnusablePlace('its tiles have no size');
  return best;
}

/**
 * The tiles of a level.
 * @param pathOf path of a tile's image
 * @throws UnusablePlace if there are too many
 */
export function tiledCube(
  { size, tile }: Pick<CubeLevel, 'size' | 'tile'>,
  pathOf: (face: CubeFace, column: number, row: number) => string,
): PanoramaSource {
  const count = Math.ceil(size / tile);
  if (!(size <= 65_536) || count * count * CUBE_FACES.length > MAX_CUBE_TILES)
    throw new UnusablePlace(`it has more than ${MAX_CUBE_TILES} tiles; export larger ones`);
  const steps = Array.from({ length: count }, (_, index) => index);
  return {
    kind: 'cube',
    layout: { size: Math.round(size), tile: Math.round(tile), turned: false },
    tiles: CUBE_FACES.flatMap((face) =>
      steps.flatMap((row) => steps.map((column) => ({ face, column, row, file: pathOf(face, column, row) }))),
    ),
  };
}

/** A cube map with one image for each face. @param files paths of the images; faces without one stay black */
export function wholeCube(files: Partial<Record<CubeFace, string>>, turned = false): PanoramaSource {
  const tiles = CUBE_FACES.flatMap((face) => {
    const file = files[face];
    return file === undefined ? [] : [{ face, column: 0, row: 0, file }];
  });
  if (tiles.length === 0) throw new UnusablePlace('it has no panorama');
  return { kind: 'cube', layout: { size: null, tile: null, turned }, tiles };
}

/**
 * A full or partial equirectangular image.
 * @param across horizontal angle in degrees
 * @param down vertical angle in degrees
 * @param offset elevation of its center in degrees, upwards
 */
export function equirectangular(file: string, across: number, down: number, offset: number): PanoramaSource {
  const isWhole = across >= 360 && down >= 180;
  if (isWhole) return { kind: 'image', file };
  const [width, height] = [Math.min(1, across / 360), Math.min(1, down / 180)];
  const top = 0.5 - offset / 180 - height / 2;
  if (!(width > 0 && height > 0) || top < -1e-6 || top + height > 1 + 1e-6)
    throw new UnusablePlace('the angles of its panorama are impossible');
  const part = { left: 0.5 - width / 2, top: Math.min(Math.max(0, top), 1 - height), width, height };
  return { kind: 'part', file, part };
}
