import { type Mesh, type Object3D, type PerspectiveCamera, Vector3 } from 'three';
import {
  MAX_PANORAMA_TILES,
  PANORAMA_TILE,
  type PanoramaTiles,
  WHOLE_PANORAMA_WIDTH,
} from '../../document/panorama.ts';
import type { StageContext } from '../context.ts';
import { freePart, type Part, spherePart } from './sphere.ts';

/** Number of sampled view rays, horizontally and vertically: more closely spaced than any tile is wide. */
const SAMPLES = { across: 9, down: 7 } as const;
/** Sampled area relative to the screen; above 1 to prefetch what comes into view next. */
const VIEW_MARGIN = 1.15;

/** Position of a tile. */
interface Tile {
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
interface Sight {
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

/** Number of concurrent tile loads. */
const PARALLEL_TILES = 4;

/** A drawn or loading tile. */
interface Drawn {
  url: string;
  mesh: Mesh | undefined;
}

/** Draws sharp tiles over a panorama where the visitor looks. */
export class PanoTiles {
  readonly #tiles: PanoramaTiles;
  readonly #parent: Object3D;
  readonly #context: StageContext;
  /** Tiles by position, least recently viewed first. */
  readonly #drawn = new Map<string, Drawn>();
  readonly #direction = new Vector3();
  #wanted: Tile[] = [];
  #loading = 0;
  #isOver = false;

  /** @param parent receives the tiles; already contains the whole image */
  constructor(tiles: PanoramaTiles, parent: Object3D, context: StageContext) {
    this.#tiles = tiles;
    this.#parent = parent;
    this.#context = context;
  }

  /** Loads tiles for the camera's current view. */
  follow(camera: PerspectiveCamera): void {
    // Includes zoom, which `fov` doesn't.
    const down = Math.tan((camera.getEffectiveFOV() * Math.PI) / 360);
    if (!tilesShowMore(this.#context.renderer.domElement.height, down, WHOLE_PANORAMA_WIDTH)) return;
    this.#wanted = tilesSeen(this.#tiles, PANORAMA_TILE, {
      across: down * camera.aspect,
      down,
      toWorld: ([x, y, z]) => {
        const direction = this.#direction.set(x, y, z).applyQuaternion(camera.quaternion);
        return [direction.x, direction.y, direction.z];
      },
    });
    this.#load();
  }

  #load(): void {
    // In reverse, so that tiles in the center count as most recently viewed.
    for (const tile of this.#wanted.toReversed()) {
      const key = `${tile.column}-${tile.row}`;
      const drawn = this.#drawn.get(key);
      if (!drawn) continue;
      this.#drawn.delete(key);
      this.#drawn.set(key, drawn);
    }
    for (const tile of this.#wanted) {
      if (this.#loading >= PARALLEL_TILES) return;
      if (!this.#drawn.has(`${tile.column}-${tile.row}`)) void this.#draw(tile);
    }
  }

  async #draw(tile: Tile): Promise<void> {
    const key = `${tile.column}-${tile.row}`;
    const drawn: Drawn = { url: this.#tiles.urlOf(tile.column, tile.row), mesh: undefined };
    this.#drawn.set(key, drawn);
    this.#loading++;
    try {
      const texture = await this.#context.resources.texture(drawn.url, {
        mipmaps: false,
        maxSize: PANORAMA_TILE,
        asIs: true,
      });
      if (this.#drawn.get(key) !== drawn) {
        this.#context.resources.release(drawn.url, { asIs: true });
        return;
      }
      drawn.mesh = spherePart(texture, partOf(this.#tiles, tile, PANORAMA_TILE), 1);
      this.#parent.add(drawn.mesh);
      this.#evict();
      this.#context.invalidate();
    } catch {
      // The whole image remains visible; the tile stays listed so that it isn't requested again.
    } finally {
      this.#loading--;
      if (!this.#isOver) this.#load();
    }
  }

  /** Frees the least recently viewed tiles. */
  #evict(): void {
    const seen = new Set(this.#wanted.map(({ column, row }) => `${column}-${row}`));
    for (const [key, drawn] of this.#drawn) {
      if (this.#drawn.size <= MAX_PANORAMA_TILES) return;
      if (!seen.has(key) && drawn.mesh) this.#free(key, drawn);
    }
  }

  #free(key: string, { mesh, url }: Drawn): void {
    this.#drawn.delete(key);
    if (!mesh) return;
    mesh.removeFromParent();
    freePart(mesh);
    this.#context.resources.release(url, { asIs: true });
  }

  dispose(): void {
    this.#isOver = true;
    for (const [key, drawn] of this.#drawn) this.#free(key, drawn);
  }
}
