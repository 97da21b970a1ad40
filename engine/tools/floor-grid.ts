import { BufferGeometry, Float32BufferAttribute, LineBasicMaterial, LineSegments } from 'three';
import type { Stage } from '../stage/stage.ts';

/** Side of a cell in units; ten times as much where the floor would have more cells than this along a side. */
const CELL = 100;
const MOST_CELLS = 200;
/** Units by which the grid lies over the floor. */
const LIFT = 2;

/**
 * Lines in both directions from the middle outwards, cut at every crossing: a line that runs past the camera as a whole
 * is lost on some graphics drivers.
 * @returns ends of the lines, three numbers each
 */
function gridLines(width: number, depth: number): number[] {
  const cell = Math.max(width, depth) / CELL > MOST_CELLS ? CELL * 10 : CELL;
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

/** A grid on the floor of the room, 100 units a cell. */
export class FloorGrid {
  readonly #stage: Stage;
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
    return this.#lines.visible;
  }

  set isVisible(value: boolean) {
    this.#lines.visible = value;
    this.#stage.refresh();
  }

  /** Follows the room's measures; before each frame. */
  place(): void {
    const { width, height, depth } = this.#stage.scene.room;
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
