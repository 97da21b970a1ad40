import type { Element } from '../document/element.ts';
import { ancestorsOf, findElement } from '../document/tree.ts';

/**
 * Which group a person works inside of. A click means the outermost group under the pointer that has not been entered;
 * a double click enters it.
 */
export class GroupEntry {
  /** The group whose children are picked one by one; null at the top. */
  #entered: number | null = null;

  /** Id of that group; null at the top. */
  get entered(): number | null {
    return this.#entered;
  }

  /**
   * What can be picked one by one: what stands in the group that was entered, or at the top.
   * @param elements the room's
   */
  within(elements: readonly Element[]): readonly Element[] {
    return (this.#entered === null ? undefined : findElement(elements, this.#entered)?.children) ?? elements;
  }

  /** Elements from the top of the tree down to one, that one included; empty where there is none. */
  #path(elements: readonly Element[], id: number): Element[] {
    const element = findElement(elements, id);
    return element ? [...ancestorsOf(elements, id).reverse(), element] : [];
  }

  /**
   * What a click on an element means.
   * @param elements the room's
   * @param hit id of the element under the pointer; null for nothing
   * @returns id of the element that is meant: the first from outside that may be edited; null for none
   */
  meant(elements: readonly Element[], hit: number | null): number | null {
    const path = hit === null ? [] : this.#path(elements, hit);
    const inside = path.findIndex(({ id }) => id === this.#entered);
    return path.slice(inside + 1).find(({ editable }) => editable)?.id ?? null;
  }

  /** Goes one group further in towards an element; gives what is meant by it then. */
  enter(elements: readonly Element[], hit: number): number | null {
    const meant = this.meant(elements, hit);
    const element = meant === null ? undefined : findElement(elements, meant);
    if (element?.element === 'group' && meant !== hit) this.#entered = meant;
    return this.meant(elements, hit);
  }

  /** Follows what was selected, here or in the tree: to where it stands. */
  follow(elements: readonly Element[], selected: number | null): void {
    this.#entered = selected === null ? null : (findElement(elements, selected)?.parent_element_id ?? null);
  }
}
