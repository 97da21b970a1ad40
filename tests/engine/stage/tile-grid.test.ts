import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FileReference } from '../../../engine/document/fields.ts';
import { PANORAMA_TILE, panoramaOf } from '../../../engine/document/panorama.ts';
import { panoramaPlaceOf, tilesSeen, tilesShowMore } from '../../../engine/stage/surroundings/pano-tiles.ts';

const fileOf = (width: number, height: number, url = '/media/aa/p.jpg'): FileReference => ({
  id: 1,
  name: 'p.jpg',
  type: 'image',
  url,
  width,
  height,
});

describe('how a panorama is loaded', () => {
  test('as it is up to 4096 pixels, from elsewhere, and where its size is not known', () => {
    const small = fileOf(4096, 2048);
    expect(panoramaOf(small)).toMatchObject({ url: small.url, width: 4096, tiles: null });
    const elsewhere = fileOf(8192, 4096, 'https://example.com/p.jpg');
    expect(panoramaOf(elsewhere)).toMatchObject({ url: elsewhere.url, small: undefined, tiles: null });
    expect(panoramaOf({ ...fileOf(8192, 4096), height: null }).tiles).toBeNull();
  });

  test('in tiles where it is wider, also a part of a sphere', () => {
    const { url, width, tiles } = panoramaOf(fileOf(8200, 4100));
    expect({ url, width }).toEqual({ url: '/media/aa/p.jpg?tile=whole', width: 4096 });
    expect(tiles).toMatchObject({ columns: 9, rows: 5 });
    expect(tiles!.urlOf(8, 4)).toBe('/media/aa/p.jpg?tile=8-4');
    const part = { left: 0.25, top: 0.25, width: 0.5, height: 0.25 };
    expect(panoramaOf({ ...fileOf(6000, 1500), part }).tiles).toMatchObject({ columns: 6, rows: 2 });
  });
});

describe('which tiles are seen', () => {
  const tiles = panoramaOf(fileOf(8192, 4096)).tiles!;
  const ahead = (fov: number, aspect: number, azimuth = 0, elevation = 0) => {
    const down = Math.tan((fov * Math.PI) / 360);
    return {
      across: down * aspect,
      down,
      toImage: ([x, y, z]: readonly [number, number, number]) => {
        const [c, s] = [Math.cos(elevation), Math.sin(elevation)];
        const [up, out] = [y * c - z * s, y * s + z * c];
        return [
          x * Math.cos(azimuth) + out * Math.sin(azimuth),
          up,
          out * Math.cos(azimuth) - x * Math.sin(azimuth),
        ] as const;
      },
    };
  };

  test('places run from the left edge over straight ahead to the right edge, and from top to bottom', () => {
    expect(panoramaPlaceOf([0, 0, -1])).toEqual({ x: 0.5, y: 0.5 });
    expect(panoramaPlaceOf([1, 0, 0])).toEqual({ x: 0.75, y: 0.5 });
    expect(panoramaPlaceOf([-2, 0, 0])).toEqual({ x: 0.25, y: 0.5 });
    expect(panoramaPlaceOf([0, 3, 0]).y).toBe(0);
    expect(panoramaPlaceOf([0, -1, 0]).y).toBe(1);
  });

  test('straight ahead the four in the middle, and what is beside them after those', () => {
    const seen = tilesSeen(tiles, PANORAMA_TILE, ahead(50, 1.6));
    const names = seen.map(({ column, row }) => `${column}-${row}`);
    for (const name of ['3-1', '4-1', '3-2', '4-2']) expect(names).toContain(name);
    expect(['3-1', '4-1', '3-2', '4-2']).toContain(names[0]);
    expect(names).not.toContain('0-1');
    expect(seen.length).toBeLessThan(tiles.columns * tiles.rows);
  });

  test('of a part of the sphere, where it is; none beside it', () => {
    const part = { left: 0.5, top: 0.25, width: 0.5, height: 0.5 };
    expect(panoramaPlaceOf([1, 0, 0], part)).toEqual({ x: 0.5, y: 0.5 });
    expect(panoramaPlaceOf([-1, 0, -0.01], part).x).toBeLessThan(0);
    const half = panoramaOf({ ...fileOf(8192, 4096), part }).tiles!;
    const seen = tilesSeen(half, PANORAMA_TILE, ahead(20, 1), part);
    expect(seen.map(({ column, row }) => `${column}-${row}`).toSorted()).toEqual(['0-1', '0-2']);
    expect(tilesSeen(half, PANORAMA_TILE, ahead(20, 1, Math.PI / 2), part)).toEqual([]);
  });

  test('any direction gives tiles of the picture, the one in the middle of the screen first', () => {
    const angle = (limit: number) => fc.double({ min: -limit, max: limit, noNaN: true });
    const fov = fc.double({ min: 10, max: 120, noNaN: true });
    fc.assert(
      fc.property(angle(Math.PI), angle(Math.PI / 2), fov, (azimuth, elevation, degrees) => {
        const sight = ahead(degrees, 1.6, azimuth, elevation);
        const seen = tilesSeen(tiles, PANORAMA_TILE, sight);
        for (const { column, row } of seen) {
          expect(column).toBeGreaterThanOrEqual(0);
          expect(column).toBeLessThan(tiles.columns);
          expect(row).toBeGreaterThanOrEqual(0);
          expect(row).toBeLessThan(tiles.rows);
        }
        const middle = panoramaPlaceOf(sight.toImage([0, 0, -1]));
        expect(seen[0]).toMatchObject({
          column: Math.min(Math.floor(middle.x * tiles.columns), tiles.columns - 1),
          row: Math.min(Math.floor(middle.y * tiles.rows), tiles.rows - 1),
        });
      }),
    );
  });

  test('a small window is served by the whole picture, a large or a narrow view is not', () => {
    const down = (fov: number) => Math.tan((fov * Math.PI) / 360);
    expect(tilesShowMore(300, down(75), 4096)).toBe(false);
    expect(tilesShowMore(1080, down(75), 4096)).toBe(true);
    expect(tilesShowMore(300, down(20), 4096)).toBe(true);
  });
});
