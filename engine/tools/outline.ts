import { Box3, Matrix4, Vector3 } from 'three';
import type { Stage } from '../stage/stage.ts';
import { boundsOf } from './bounds.ts';
import { BoxLines } from './box-lines.ts';

/** Boxes that are measured anew with each frame, in turn: what is drawn of an element may change by itself. */
const MEASURED_A_FRAME = 50;

/** An element with its box, measured in its own frame. */
interface Outlined {
  id: number;
  /** Turns the unit box into the element's, in its frame; undefined until it has been measured. */
  box: Matrix4 | undefined;
}

/** Shows elements by the edges of the boxes around them: as many as there are, in one color. */
export class Outline {
  readonly #stage: Stage;
  readonly #lines: BoxLines;
  readonly #frame = new Matrix4();
  readonly #bounds = new Box3();
  readonly #center = new Vector3();
  readonly #size = new Vector3();
  #entries: Outlined[] = [];
  #next = 0;
  /** Where the pivot stood when the boxes were brought to their places, as long as they only follow it since; null otherwise. */
  #placedBy: Vector3 | null = null;
  /** Whether the boxes keep their shapes, because the elements are only moved. */
  isSteady = false;

  /** @param name by which the lines are found among the stage's objects */
  constructor(stage: Stage, name: string, look: { color: string; opacity: number }) {
    this.#stage = stage;
    this.#lines = new BoxLines(stage, name, look);
  }

  /** Puts outlines around these elements, and around no others. */
  show(ids: readonly number[]): void {
    if (ids.length === this.#entries.length && ids.every((id, at) => id === this.#entries[at]!.id)) return;
    const known = new Map(this.#entries.map((entry) => [entry.id, entry]));
    this.#entries = ids.map((id) => known.get(id) ?? { id, box: undefined });
    this.isSteady = false;
    this.#placedBy = null;
    this.#stage.refresh();
  }

  /** Has every box measured anew with the next frame: something of the document changed. */
  measure(): void {
    for (const entry of this.#entries) entry.box = undefined;
    this.#placedBy = null;
  }

  #measure(entry: Outlined, entity: number): Matrix4 | undefined {
    const element = this.#stage.scene.elementOf(entity);
    if (!element) return undefined;
    boundsOf(this.#stage, element, this.#frame, this.#bounds);
    this.#bounds.getCenter(this.#center);
    this.#bounds.getSize(this.#size);
    entry.box ??= new Matrix4();
    return entry.box.makeScale(this.#size.x, this.#size.y, this.#size.z).setPosition(this.#center);
  }

  /**
   * Brings the outlines to where their elements are; before each frame.
   * @param pivot of many that are moved as one, where it stands in the room; null where they are not
   */
  place(pivot: Vector3 | null = null): void {
    if (pivot && this.#placedBy) {
      this.#lines.shift.subVectors(pivot, this.#placedBy);
      return;
    }
    this.#placedBy = pivot?.clone() ?? null;
    this.#lines.shift.set(0, 0, 0);
    const { scene } = this.#stage;
    const shown: number[] = [];
    const count = this.#entries.length;
    const to = this.#lines.reserve(count);
    for (const [at, entry] of this.#entries.entries()) {
      const entity = scene.entityOf(entry.id);
      if (entity === undefined || !scene.isVisible(entity)) continue;
      scene.worldMatrix(entity, this.#frame.elements);
      const isDue = !this.isSteady && (at - this.#next + count) % count < MEASURED_A_FRAME;
      const box = entry.box && !isDue ? entry.box : this.#measure(entry, entity);
      if (!box) continue;
      this.#frame.multiply(box).toArray(to, shown.length * 16);
      shown.push(entry.id);
    }
    this.#next = count === 0 ? 0 : (this.#next + MEASURED_A_FRAME) % count;
    this.#lines.draw(shown.length, shown);
  }

  dispose(): void {
    this.#lines.dispose();
  }
}
