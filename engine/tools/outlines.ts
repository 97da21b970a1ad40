import type { Vector3 } from 'three';
import type { Stage } from '../stage/stage.ts';
import { Outline } from './outline.ts';

const LOOKS = {
  selected: { color: '#E2B15F', opacity: 0.9 },
  hovered: { color: '#4AA3A0', opacity: 0.9 },
  entered: { color: '#F7F6F2', opacity: 0.5 },
};

/** Around what is selected, around what is pointed at, and around the group in which elements are picked one by one. */
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

  /** The document has changed: boxes are measured anew. */
  measure(): void {
    this.#selected.measure();
  }

  /**
   * Brings them to where their elements are; before each frame.
   * @param isSteady whether what is selected keeps its shape
   * @param pivot of what is selected, while all of it is moved as one
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
