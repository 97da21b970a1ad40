import { BufferGeometry, Float32BufferAttribute, LineBasicMaterial, LineSegments } from 'three';
import { placePanorama } from '../../document/places.ts';
import type { Stage } from '../../stage/stage.ts';

/** Cell size in units, multiplied by ten if the floor would exceed the maximum number of cells per side. */
const CELL = 100;
const MAX_CELLS = 200;
/** Height of the grid above the floor in units. */
const LIFT = 2;

/**
 * Grid lines in both directions from the center, split at every crossing: some graphics drivers drop a line that extends
 * past the camera.
 * @returns line ends, three numbers each
 */
function gridLines(width: number, depth: number): number[] {
  const cell = Math.max(width, depth) / CELL > MAX_CELLS ? CELL * 10 : CELL;
  const marks = (side: number) => {
    const count = Math.floor(side / 2 / cell);
    return [-side / 2, ...Array.from({ length: 2 * count + 1 }, (_, at) => (at - count) * cell), side / 2];
  };
  const [xs, zs] = [marks(width), marks(depth)];
  const ends: number[] = [];
  for (const x of xs) for (let at = 1; at < zs.length; at++) ends.push(x, 0, zs[at - 1]!, x, 0, zs[at]!);
  for (const z of zs) for (let at = 1; at < xs.length; at++) ends.push(xs[at - 1]!, 0, z, xs[at]!, 0, z);
  return ends;
}

/** A grid on the room's floor with cells of 100 units. */
export class FloorGrid {
  readonly #stage: Stage;
  #isVisible = true;
  readonly #lines = new LineSegments(
    new BufferGeometry(),
    new LineBasicMaterial({ color: '#8E8D89', transparent: true, opacity: 0.5, fog: false, toneMapped: false }),
  );
  #measures = '';

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#lines.name = 'floor-grid';
    stage.three.add(this.#lines);
  }

  get isVisible(): boolean {
    return this.#isVisible;
  }

  set isVisible(value: boolean) {
    this.#isVisible = value;
    this.#stage.refresh();
  }

  /** Updates the grid to the room's size; called before each frame. */
  place(): void {
    const { room, place } = this.#stage.scene;
    const { width, height, depth } = room;
    // In a panorama there is no floor of the room.
    this.#lines.visible = this.#isVisible && !placePanorama(room, place)?.position;
    const measures = `${width} ${height} ${depth}`;
    if (measures === this.#measures) return;
    this.#measures = measures;
    this.#lines.geometry.dispose();
    this.#lines.geometry = new BufferGeometry().setAttribute(
      'position',
      new Float32BufferAttribute(gridLines(width, depth), 3),
    );
    this.#lines.position.y = -height / 2 + LIFT;
  }

  dispose(): void {
    this.#stage.three.remove(this.#lines);
    this.#lines.geometry.dispose();
    this.#lines.material.dispose();
  }
}
