import { Matrix4, Vector3 } from 'three';
import type { FileReference } from '../../document/fields.ts';
import { WHOLE_PANORAMA_WIDTH } from '../../document/panorama.ts';
import { placePanorama, placesOf } from '../../document/places.ts';
import { linksFrom } from '../../document/tour-links.ts';
import type { StageContext } from '../context.ts';
import { budget, savesData } from '../resources/device.ts';
import type { PanoTiles } from './pano-tiles.ts';
import type { PanoramaPictures } from './panorama-pictures.ts';
import { shownPanorama, widthLimit } from './shown-panorama.ts';

/** Maximum number of small copies prefetched from one place. */
const MAX_SMALL = 24;

/** A place that a visitor may go to next. */
interface Neighbor {
  id: number;
  /** Entity of the element that leads there; undefined for the next place in the order. */
  entity: number | undefined;
}

function bytesOf(file: FileReference): number {
  const { width, height } = file;
  const loaded = shownPanorama(file).width ?? WHOLE_PANORAMA_WIDTH;
  const ratio = width && height ? height / width : 1 / 2;
  return Math.min(loaded, widthLimit(file)) ** 2 * ratio * 4;
}

/** Prefetches the panoramas that a visitor may go to: small copies first, those in the center of the view first. */
export class PanoramaPrefetch {
  readonly #context: StageContext;
  readonly #pictures: PanoramaPictures;
  readonly #tiles: PanoTiles;
  /** Number of places where prefetching has begun; an earlier one ends. */
  #turn = 0;

  constructor(context: StageContext, pictures: PanoramaPictures, tiles: PanoTiles) {
    this.#context = context;
    this.#pictures = pictures;
    this.#tiles = tiles;
  }

  /** Prefetches the linked panoramas once the current place has loaded completely. */
  async begin(): Promise<void> {
    const turn = ++this.#turn;
    const goesOn = () => turn === this.#turn;
    await this.#tiles.idle();
    const loaded: FileReference[] = [];
    for await (const file of this.#nearest(goesOn)) {
      if (loaded.length === MAX_SMALL) break;
      if (shownPanorama(file).small === undefined) continue;
      // A place whose image is missing says so when the visitor goes there.
      await this.#pictures.first(file).catch(() => undefined);
      loaded.push(file);
    }
    if (savesData()) return;
    let bytes = 0;
    for await (const file of this.#nearest(goesOn)) {
      bytes += bytesOf(file);
      if (bytes > budget().aheadBytes) return;
      await this.#pictures.whole(file).catch(() => undefined);
      await this.#tiles.idle();
    }
  }

  /** Ends prefetching. */
  end(): void {
    this.#turn++;
  }

  /** Panoramas that are linked from here, each time the one nearest the center of the view. */
  async *#nearest(goesOn: () => boolean): AsyncGenerator<FileReference> {
    const { scene } = this.#context;
    const left = this.#neighbors();
    while (left.size > 0 && goesOn()) {
      let nearest: Neighbor | undefined;
      let least = Number.POSITIVE_INFINITY;
      for (const neighbor of left) {
        const angle = this.#angleTo(neighbor);
        if (nearest && angle >= least) continue;
        nearest = neighbor;
        least = angle;
      }
      left.delete(nearest!);
      const file = placePanorama(scene.room, nearest!.id)?.file;
      if (file) yield file;
    }
  }

  /** Places that visible elements lead to, and the next place in the order. */
  #neighbors(): Set<Neighbor> {
    const { scene } = this.#context;
    const { elements } = scene.room;
    const found = new Map<number, Neighbor>();
    for (const { to, element } of linksFrom(elements, scene.place)) {
      const entity = scene.entityOf(element.id);
      if (entity !== undefined && scene.isVisible(entity)) found.set(to, { id: to, entity });
    }
    const places = placesOf(elements);
    const next = places[places.findIndex(({ id }) => id === scene.place) + 1];
    if (scene.place !== 0 && next && !found.has(next.id)) found.set(next.id, { id: next.id, entity: undefined });
    return new Set(found.values());
  }

  /** Angle in radians between the center of the view and an element. */
  #angleTo({ entity }: Neighbor): number {
    if (entity === undefined) return Math.PI;
    const { scene, camera } = this.#context;
    const matrix = new Matrix4();
    scene.worldMatrix(entity, matrix.elements);
    const way = new Vector3().setFromMatrixPosition(matrix).sub(camera.position);
    return way.angleTo(camera.getWorldDirection(new Vector3()));
  }
}
