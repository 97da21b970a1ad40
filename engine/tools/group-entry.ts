import type { Element } from '../document/element.ts';
import { ancestorsOf, childrenOf, findElement } from '../document/tree.ts';

/**
 * Tracks the entered group. A click selects the outermost group under the pointer that hasn't been entered; a double
 * click enters it.
 */
export class GroupEntry {
  /** The entered group, whose children can be picked; null at the top level. */
  #entered: number | null = null;

  /** Id of the entered group; null at the top level. */
  get entered(): number | null {
    return this.#entered;
  }

  /**
   * Pickable elements: the children of the entered group, or the top level.
   * @param elements of the room
   */
  within(elements: readonly Element[]): readonly Element[] {
    const isThere = this.#entered !== null && findElement(elements, this.#entered) !== undefined;
    return childrenOf(elements, isThere ? this.#entered : null);
  }

  /** Path of elements from the top level to this one, inclusive; empty if it doesn't exist. */
  #path(elements: readonly Element[], id: number): Element[] {
    const element = findElement(elements, id);
    return element ? [...ancestorsOf(elements, id).reverse(), element] : [];
  }

  /**
   * The element to select for a click.
   * @param elements of the room
   * @param hit id of the element under the pointer; null for none
   * @returns id of the outermost editable element below the entered group; null for none
   */
  meant(elements: readonly Element[], hit: number | null): number | null {
    const path = hit === null ? [] : this.#path(elements, hit);
    const inside = path.findIndex(({ id }) => id === this.#entered);
    return path.slice(inside + 1).find(({ editable }) => editable)?.id ?? null;
  }

  /** Enters one more group towards an element; returns the element to select. */
  enter(elements: readonly Element[], hit: number): number | null {
    const meant = this.meant(elements, hit);
    const element = meant === null ? undefined : findElement(elements, meant);
    if (element?.element === 'group' && meant !== hit) this.#entered = meant;
    return this.meant(elements, hit);
  }

  /** Enters the group that contains the selected element, wherever it was selected. */
  follow(elements: readonly Element[], selected: number | null): void {
    this.#entered = selected === null ? null : (findElement(elements, selected)?.parent_element_id ?? null);
  }
}
