import type { Element } from '../../document/element.ts';
import type { Scene } from '../../scene/scene.ts';

/** The order in which a room is read: that of its document, groups before what they hold, items of feeds in their group. */
export class ReadingOrder {
  readonly #scene: Scene;
  #ranks = new Map<number, number>();

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  /** Takes over what has been added, removed or moved. */
  read(): void {
    this.#ranks = new Map();
    const add = (elements: readonly Element[]) => {
      for (const { id, children } of elements) {
        this.#ranks.set(id, this.#ranks.size);
        add(children);
      }
    };
    add(this.#scene.room.elements);
  }

  /** Place of an element, growing in the order of reading; elements that are not in the document come after their group. */
  rankOf(elementId: number): number {
    if (elementId < 0) {
      const guest = this.#scene.elementOf(this.#scene.entityOf(elementId) ?? 0);
      // Ids of items grow downwards from −1: the first of a group comes first.
      return this.rankOf(guest?.parent_element_id ?? 0) + 1 - 1 / (1 - elementId);
    }
    if (!this.#ranks.has(elementId)) this.read();
    return this.#ranks.get(elementId) ?? this.#ranks.size;
  }
}
