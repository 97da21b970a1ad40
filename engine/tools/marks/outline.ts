import { Box3, Matrix4, Vector3 } from 'three';
import type { Stage } from '../../stage/stage.ts';
import { boundsOf } from './bounds.ts';
import { BoxLines } from './box-lines.ts';

/** Number of boxes measured per frame, in rotation, because an element's geometry may change by itself. */
const MEASURES_PER_FRAME = 50;

/** An element with its bounding box in its local frame. */
interface Outlined {
  id: number;
  /** Transforms the unit box to the element's; undefined until measured. */
  box: Matrix4 | undefined;
}

/** Bounding box outlines of elements in one color. */
export class Outline {
  readonly #stage: Stage;
  readonly #lines: BoxLines;
  readonly #frame = new Matrix4();
  readonly #bounds = new Box3();
  readonly #center = new Vector3();
  readonly #size = new Vector3();
  #entries: Outlined[] = [];
  #next = 0;
  /** Pivot position when the boxes were last placed, while they only follow it; null otherwise. */
  #placedBy: Vector3 | null = null;
  /** Whether boxes keep their shapes, because elements are only being moved. */
  isSteady = false;

  /** @param name of the object in the stage's scene */
  constructor(stage: Stage, name: string, look: { color: string; opacity: number }) {
    this.#stage = stage;
    this.#lines = new BoxLines(stage, name, look);
  }

  /** Outlines exactly these elements. */
  show(ids: readonly number[]): void {
    if (ids.length === this.#entries.length && ids.every((id, at) => id === this.#entries[at]!.id)) return;
    const known = new Map(this.#entries.map((entry) => [entry.id, entry]));
    this.#entries = ids.map((id) => known.get(id) ?? { id, box: undefined });
    this.isSteady = false;
    this.#placedBy = null;
    this.#stage.refresh();
  }

  /** Invalidates all boxes after a change of the document. */
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
   * Updates the outlines; called before each frame.
   * @param pivot in the room while many elements are moved together; null otherwise
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
      const isDue = !this.isSteady && (at - this.#next + count) % count < MEASURES_PER_FRAME;
      const box = entry.box && !isDue ? entry.box : this.#measure(entry, entity);
      if (!box) continue;
      this.#frame.multiply(box).toArray(to, shown.length * 16);
      shown.push(entry.id);
    }
    this.#next = count === 0 ? 0 : (this.#next + MEASURES_PER_FRAME) % count;
    this.#lines.draw(shown.length, shown);
  }

  dispose(): void {
    this.#lines.dispose();
  }
}

const LOOKS = {
  selected: { color: '#E2B15F', opacity: 0.9 },
  hovered: { color: '#4AA3A0', opacity: 0.9 },
  entered: { color: '#F7F6F2', opacity: 0.5 },
};

/** Outlines of the selected and hovered elements and of the entered group. */
export class Outlines {
  readonly #selected: Outline;
  readonly #hovered: Outline;
  readonly #entered: Outline;

  constructor(stage: Stage) {
    this.#selected = new Outline(stage, 'selected', LOOKS.selected);
    this.#hovered = new Outline(stage, 'hovered', LOOKS.hovered);
    this.#entered = new Outline(stage, 'entered', LOOKS.entered);
  }

  show(selected: readonly number[], hovered: number | null, entered: number | null): void {
    this.#selected.show(selected);
    this.#hovered.show(hovered === null || selected.includes(hovered) ? [] : [hovered]);
    this.#entered.show(entered === null ? [] : [entered]);
  }

  /** Invalidates boxes after a change of the document. */
  measure(): void {
    this.#selected.measure();
  }

  /**
   * Updates the outlines; called before each frame.
   * @param isSteady whether the selected elements keep their shapes
   * @param pivot of the selection while it is moved as a whole
   */
  place(isSteady: boolean, pivot: Vector3 | null): void {
    this.#selected.isSteady = isSteady;
    this.#selected.place(pivot);
    this.#hovered.place();
    this.#entered.place();
  }

  dispose(): void {
    for (const outline of [this.#selected, this.#hovered, this.#entered]) outline.dispose();
  }
}
