import { type Mesh, type Object3D, type PerspectiveCamera, Vector3 } from 'three';
import { PANORAMA_TILE, PANORAMA_TILES_KEPT, type PanoramaTiles, WHOLE_PANORAMA } from '../../document/panorama.ts';
import type { StageContext } from '../context.ts';
import { freePart, spherePart } from './sphere.ts';
import { partOf, type Tile, tilesSeen, tilesShowMore } from './tile-grid.ts';

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
    if (!tilesShowMore(this.#context.renderer.domElement.height, down, WHOLE_PANORAMA)) return;
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
      if (this.#drawn.size <= PANORAMA_TILES_KEPT) return;
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
