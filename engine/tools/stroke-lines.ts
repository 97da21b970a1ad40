import { Matrix4, Quaternion, Vector3 } from 'three';
import type { Vector } from '../document/fields.ts';
import type { Stage } from '../stage/stage.ts';
import { BoxLines } from './box-lines.ts';

const ALONG = new Vector3(1, 0, 0);
const matrix = new Matrix4();
const way = new Vector3();
const middle = new Vector3();
const turn = new Quaternion();
const size = new Vector3();

/** Line segments, visible through everything, with constant screen width. */
export class StrokeLines {
  readonly #lines: BoxLines;

  /** @param name of the object in the stage's scene */
  constructor(stage: Stage, name: string, look: { color: string; opacity: number }) {
    this.#lines = new BoxLines(stage, name, look);
  }

  /** Shows exactly these lines. */
  show(strokes: readonly (readonly [from: Vector, to: Vector])[]): void {
    const to = this.#lines.reserve(strokes.length);
    for (const [index, [from, end]] of strokes.entries()) {
      way.copy(end as Vector3).sub(from as Vector3);
      const length = way.length() || 1e-3;
      turn.setFromUnitVectors(ALONG, way.normalize());
      middle.addVectors(from as Vector3, end as Vector3).multiplyScalar(0.5);
      // A box with only one side is a line.
      matrix.compose(middle, turn, size.set(length, 0, 0)).toArray(to, index * 16);
    }
    this.#lines.draw(strokes.length, []);
  }

  dispose(): void {
    this.#lines.dispose();
  }
}
