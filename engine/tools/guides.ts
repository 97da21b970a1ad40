import { Matrix4, Quaternion, Vector3 } from 'three';
import type { Stage } from '../stage/stage.ts';
import { BoxLines } from './box-lines.ts';
import type { Guide } from './snapping.ts';

const LOOK = { color: '#7FD3CF', opacity: 1 };
const ALONG = new Vector3(1, 0, 0);

/** Lines that show what is moved has snapped to. */
export class Guides {
  readonly #stage: Stage;
  readonly #lines: BoxLines;
  readonly #matrix = new Matrix4();
  readonly #way = new Vector3();
  readonly #middle = new Vector3();
  readonly #turn = new Quaternion();

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#lines = new BoxLines(stage, 'guides', LOOK);
  }

  /** Shows these lines and no others. */
  show(guides: readonly Guide[]): void {
    const to = this.#lines.reserve(guides.length);
    for (const [index, guide] of guides.entries()) {
      this.#way.copy(guide.to as Vector3).sub(guide.from as Vector3);
      const length = this.#way.length() || 1e-3;
      this.#turn.setFromUnitVectors(ALONG, this.#way.normalize());
      this.#middle.addVectors(guide.from as Vector3, guide.to as Vector3).multiplyScalar(0.5);
      // A box with one side only is a line.
      this.#matrix.compose(this.#middle, this.#turn, new Vector3(length, 0, 0)).toArray(to, index * 16);
    }
    this.#lines.draw(guides.length, []);
    this.#stage.refresh();
  }

  dispose(): void {
    this.#lines.dispose();
  }
}
