import { type Mesh, type Object3D, type PerspectiveCamera, Vector3 } from 'three';
import { PANORAMA_TILE, PANORAMA_TILES_KEPT, type PanoramaTiles, WHOLE_PANORAMA } from '../../document/panorama.ts';
import type { StageContext } from '../context.ts';
import { freePart, spherePart } from './sphere.ts';
import { partOf, type Tile, tilesSeen, tilesShowMore } from './tile-grid.ts';

/** Tiles that are loaded at the same time. */
const PARALLEL_TILES = 4;

/** A tile that is drawn, or on its way. */
interface Drawn {
  url: string;
  mesh: Mesh | undefined;
}

/** Lays sharp tiles over a panorama where the visitor looks. */
export class PanoTiles {
  readonly #tiles: PanoramaTiles;
  readonly #parent: Object3D;
  readonly #context: StageContext;
  /** By place, the one that was looked at last at the end. */
  readonly #drawn = new Map<string, Drawn>();
  readonly #direction = new Vector3();
  #wanted: Tile[] = [];
  #loading = 0;
  #isOver = false;

  /** @param parent takes the tiles; the whole picture stands in it already */
  constructor(tiles: PanoramaTiles, parent: Object3D, context: StageContext) {
    this.#tiles = tiles;
    this.#parent = parent;
    this.#context = context;
  }

  /** Asks for what the camera sees now. */
  follow(camera: PerspectiveCamera): void {
    const down = Math.tan((camera.fov * Math.PI) / 360);
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
    // Backwards, so that what stands in the middle counts as looked at last.
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
      this.#forget();
      this.#context.invalidate();
    } catch {
      // The whole picture shows what this tile would; it stays listed, so that it is not asked for again and again.
    } finally {
      this.#loading--;
      if (!this.#isOver) this.#load();
    }
  }

  /** Frees those tiles that were not looked at for the longest time. */
  #forget(): void {
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
