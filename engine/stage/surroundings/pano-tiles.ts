import {
  DataArrayTexture,
  DataTexture,
  LinearFilter,
  type Matrix3,
  type PerspectiveCamera,
  RedFormat,
  Vector3,
} from 'three';
import type { FileReference } from '../../document/fields.ts';
import {
  MAX_PANORAMA_TILES,
  PANORAMA_TILE,
  type PanoramaTiles,
  WHOLE_PANORAMA_WIDTH,
} from '../../document/panorama.ts';
import type { StageContext } from '../context.ts';
import { budget } from '../resources/device.ts';
import { allocate, uploadGradually } from '../resources/gradual-upload.ts';
import { loadPicture } from '../resources/resources.ts';
import { partUniform } from './equirectangular.ts';
import { shownPanorama } from './shown-panorama.ts';

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
type Part = FileReference['part'];

/**
 * Position of a direction in a panorama, as fractions from its left and top; the center of the whole sphere is along −z.
 * Outside a partial panorama, beyond 0 to 1.
 */
export function panoramaPlaceOf([x, y, z]: Direction, part?: Part): { x: number; y: number } {
  const [center, top, width, height] = partUniform({ part });
  const turn = Math.atan2(x, -z) / (2 * Math.PI) + 0.5 - center;
  const down = Math.acos(y / Math.hypot(x, y, z)) / Math.PI;
  return { x: (turn - Math.round(turn)) / width + 0.5, y: (down - top) / height };
}

/** Tangents of half the field of view, and the rotation from camera to image space. */
interface Sight {
  across: number;
  down: number;
  toImage(direction: Direction): Direction;
}

/** Visible tiles, those in the center of the screen first. */
export function tilesSeen(tiles: PanoramaTiles, size: number, { across, down, toImage }: Sight, part?: Part): Tile[] {
  const seen = new Map<string, Tile & { distance: number }>();
  for (let i = 0; i < SAMPLES.across; i++) {
    for (let j = 0; j < SAMPLES.down; j++) {
      const x = ((2 * i) / (SAMPLES.across - 1) - 1) * VIEW_MARGIN;
      const y = ((2 * j) / (SAMPLES.down - 1) - 1) * VIEW_MARGIN;
      const place = panoramaPlaceOf(toImage([x * across, y * down, -1]), part);
      if (part && (place.x < 0 || place.x > 1 || place.y < 0 || place.y > 1)) continue;
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
 * @param wholeWidth width in pixels of a whole sphere in the resolution of the whole image
 */
export function tilesShowMore(pixels: number, down: number, wholeWidth: number): boolean {
  // At the center of the screen, where a pixel covers the largest angle.
  const perRadian = pixels / (2 * down);
  return perRadian > wholeWidth / (2 * Math.PI);
}

/** Number of concurrent tile loads. */
const PARALLEL_TILES = 4;
/** Entry of a page table for a tile that isn't loaded. */
const NO_LAYER = 255;

/** Page table of a panorama: a texture with a layer per tile. */
export interface Pages {
  readonly tiles: PanoramaTiles;
  readonly part: Part;
  readonly texture: DataTexture;
}

/** A loaded or loading tile. */
interface Drawn {
  pages: Pages;
  /** Index in the page table. */
  at: number;
  layer: number;
  isLoaded: boolean;
}

/**
 * Sharp tiles of panoramas, where the visitor looks. All tiles are layers of one texture, which has the same size for any
 * number of panoramas; page tables say which layer holds a tile.
 */
export class PanoTiles {
  readonly #context: StageContext;
  /** Layers are tiles; allocated with the first tile. */
  readonly layers: DataArrayTexture;
  readonly #most = Math.min(budget().tiles, MAX_PANORAMA_TILES);
  readonly #free: number[] = [];
  /** Tiles by URL, least recently viewed first. */
  readonly #drawn = new Map<string, Drawn>();
  readonly #direction = new Vector3();
  readonly #abort = new AbortController();
  #pages: Pages | undefined;
  #wanted: Tile[] = [];
  #loading = 0;
  /** Called when nothing loads. */
  readonly #waiting: (() => void)[] = [];

  constructor(context: StageContext) {
    this.#context = context;
    this.layers = new DataArrayTexture(null, PANORAMA_TILE, PANORAMA_TILE, this.#most);
    this.layers.minFilter = LinearFilter;
    this.layers.magFilter = LinearFilter;
    const { signal } = this.#abort;
    context.renderer.domElement.addEventListener('webglcontextrestored', () => this.#forget(), { signal });
  }

  /** The page table of a panorama; null if it has no tiles. The caller disposes it with `release`. */
  static pagesOf(file: FileReference): Pages | null {
    const { tiles } = shownPanorama(file);
    if (!tiles) return null;
    const data = new Uint8Array(tiles.columns * tiles.rows).fill(NO_LAYER);
    const texture = new DataTexture(data, tiles.columns, tiles.rows, RedFormat);
    texture.needsUpdate = true;
    return { tiles, part: file.part, texture };
  }

  /** Loads tiles of a panorama for the camera's current view. @param turn rotation from image to world directions */
  follow(pages: Pages, turn: Matrix3, camera: PerspectiveCamera): void {
    // Includes zoom, which `fov` doesn't.
    const down = Math.tan((camera.getEffectiveFOV() * Math.PI) / 360);
    this.#pages = pages;
    this.#wanted = [];
    const wholeWidth = Math.min(WHOLE_PANORAMA_WIDTH, budget().panoramaWidth) / (pages.part?.width ?? 1);
    if (!tilesShowMore(this.#context.renderer.domElement.height, down, wholeWidth)) return;
    const toImage = turn.clone().transpose();
    const sight: Sight = {
      across: down * camera.aspect,
      down,
      toImage: ([x, y, z]) => {
        const direction = this.#direction.set(x, y, z).applyQuaternion(camera.quaternion).applyMatrix3(toImage);
        return [direction.x, direction.y, direction.z];
      },
    };
    this.#wanted = tilesSeen(pages.tiles, PANORAMA_TILE, sight, pages.part).slice(0, this.#most);
    this.#load();
  }

  #load(): void {
    const pages = this.#pages!;
    const urls = this.#wanted.map(({ column, row }) => pages.tiles.urlOf(column, row));
    // In reverse, so that tiles in the center count as most recently viewed.
    for (const url of urls.toReversed()) {
      const drawn = this.#drawn.get(url);
      if (!drawn) continue;
      this.#drawn.delete(url);
      this.#drawn.set(url, drawn);
    }
    for (const [index, url] of urls.entries()) {
      if (this.#loading >= PARALLEL_TILES) return;
      if (!this.#drawn.has(url)) void this.#draw(url, pages, this.#wanted[index]!, new Set(urls));
    }
  }

  async #draw(url: string, pages: Pages, { column, row }: Tile, wanted: ReadonlySet<string>): Promise<void> {
    const layer = this.#takeLayer(wanted);
    if (layer === undefined) return;
    const drawn: Drawn = { pages, at: row * pages.tiles.columns + column, layer, isLoaded: false };
    this.#drawn.set(url, drawn);
    const isUsed = () => this.#drawn.get(url) === drawn;
    this.#loading++;
    let bitmap: ImageBitmap | undefined;
    try {
      bitmap = await loadPicture(url, true);
      if (!isUsed()) return;
      if (!this.layers.version) allocate(this.#context.renderer, this.layers);
      await uploadGradually(this.#context.renderer, bitmap, this.layers, isUsed, layer);
      if (!isUsed()) return;
      drawn.isLoaded = true;
      this.#enter(drawn, layer);
      this.#context.invalidate();
    } catch {
      // The whole image remains visible; the tile stays listed so that it isn't requested again.
    } finally {
      bitmap?.close();
      this.#loading--;
      if (!this.#abort.signal.aborted && this.#pages) this.#load();
      if (this.#loading === 0) for (const resolve of this.#waiting.splice(0)) resolve();
    }
  }

  /** Resolves when no tile is loading. */
  async idle(): Promise<void> {
    if (this.#loading > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** A layer for another tile: an unused one, or that of the least recently viewed tile. */
  #takeLayer(wanted: ReadonlySet<string>): number | undefined {
    if (this.#free.length > 0) return this.#free.pop();
    if (this.#drawn.size < this.#most) return this.#drawn.size;
    for (const [url, drawn] of this.#drawn) {
      if (wanted.has(url)) continue;
      this.#drawn.delete(url);
      this.#enter(drawn, NO_LAYER);
      return drawn.layer;
    }
    return undefined;
  }

  /** Writes a page table. */
  #enter({ pages, at }: Drawn, layer: number): void {
    const { data } = pages.texture.image;
    data![at] = layer;
    pages.texture.needsUpdate = true;
  }

  /** Forgets the tiles of a panorama, and disposes its page table. */
  release(pages: Pages): void {
    for (const [url, drawn] of this.#drawn) {
      if (drawn.pages !== pages) continue;
      this.#drawn.delete(url);
      this.#free.push(drawn.layer);
    }
    if (this.#pages === pages) this.#pages = undefined;
    pages.texture.dispose();
  }

  /** Forgets all tiles, which were lost with the context. */
  #forget(): void {
    for (const drawn of this.#drawn.values()) this.#enter(drawn, NO_LAYER);
    this.#drawn.clear();
    this.#free.length = 0;
  }

  dispose(): void {
    this.#abort.abort();
    this.#drawn.clear();
    this.layers.dispose();
  }
}
