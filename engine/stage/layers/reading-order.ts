import type { Scene } from '../../scene/scene.ts';

/** Reading order of a room: document order, groups before their children, feed items within their group. */
export class ReadingOrder {
  readonly #scene: Scene;
  #ranks = new Map<number, number>();

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  /** Updates the order after elements were added, removed or moved. */
  read(): void {
    this.#ranks = new Map(this.#scene.room.elements.map(({ id }, rank) => [id, rank]));
  }

  /** Rank of an element in reading order; transient elements follow their group. */
  rankOf(elementId: number): number {
    if (elementId < 0) {
      const guest = this.#scene.elementOf(this.#scene.entityOf(elementId) ?? 0);
      // Feed items have descending negative ids; the first of a group ranks first.
      return this.rankOf(guest?.parent_element_id ?? 0) + 1 - 1 / (1 - elementId);
    }
    if (!this.#ranks.has(elementId)) this.read();
    return this.#ranks.get(elementId) ?? this.#ranks.size;
  }
}
