import type { Vector3 } from 'three';
import type { Stage } from '../stage/stage.ts';
import { Outline } from './outline.ts';

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
