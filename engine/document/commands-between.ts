import type { ElementFields, RoomCommand, RoomFields } from './commands.ts';
import type { Element } from './element.ts';
import { type ByPath, changedPaths, fieldsByPath } from './field-paths.ts';
import { longestRising } from './longest-rising.ts';
import type { Room } from './room.ts';

/** What does not change by an update: it is the element itself, its place, or follows from other fields. */
export const fieldsAlone = ({
  id: _id,
  element: _type,
  parent_element_id: _parent,
  children: _children,
  ...fields
}: Element) => fields;
/** What a room is besides its elements. */
export const roomAlone = ({ id: _id, version: _version, elements: _elements, ...fields }: Room) => fields;

const NOT_UPDATED: ReadonlySet<string> = new Set(['id', 'element', 'parent_element_id', 'children']);

/** The fields, by path, in which an element differs from what it was. */
export const changesOfElement = (from: Element, to: Element): ByPath => changedPaths(from, to, NOT_UPDATED);

/** Every element by its id. */
export function indexOf(elements: readonly Element[]): Map<number, Element> {
  const byId = new Map<number, Element>();
  const note = (list: readonly Element[]): void => {
    for (const element of list) {
      byId.set(element.id, element);
      if (element.children.length > 0) note(element.children);
    }
  };
  note(elements);
  return byId;
}

type Parent = number | null;

/** Who stands where while one tree becomes another: ids only, so that a step costs no copy of the tree. */
class Places {
  readonly #lists = new Map<Parent, number[]>();
  readonly #parents = new Map<number, Parent>();

  constructor(elements: readonly Element[]) {
    this.#note(elements, null);
  }

  #note(elements: readonly Element[], parent: Parent): void {
    this.#lists.set(
      parent,
      elements.map(({ id }) => id),
    );
    for (const { id, children } of elements) {
      this.#parents.set(id, parent);
      this.#note(children, id);
    }
  }

  isThere = (id: number): boolean => this.#parents.has(id);
  parentOf = (id: number): Parent | undefined => this.#parents.get(id);
  below = (parent: Parent): readonly number[] => this.#lists.get(parent) ?? [];

  add(element: Element, parent: Parent, index: number): void {
    this.#note(element.children, element.id);
    this.#put(element.id, parent, index);
  }

  /** @param after sibling that it is to stand behind; null for the first place. Gives its place there. */
  move(id: number, parent: Parent, after: number | null): number {
    this.#take(id);
    const index = after === null ? 0 : this.below(parent).indexOf(after) + 1;
    this.#put(id, parent, index);
    return index;
  }

  remove(id: number): void {
    this.#take(id);
    this.#forget(id);
  }

  #put(id: number, parent: Parent, index: number): void {
    this.#lists.get(parent)!.splice(index, 0, id);
    this.#parents.set(id, parent);
  }

  #take(id: number): void {
    const list = this.#lists.get(this.#parents.get(id)!)!;
    list.splice(list.indexOf(id), 1);
  }

  #forget(id: number): void {
    for (const child of this.below(id)) this.#forget(child);
    this.#lists.delete(id);
    this.#parents.delete(id);
  }
}

/**
 * The commands that make one room out of another: what is new, what is gone, what moved, and the fields that changed. As few
 * elements move as can be.
 * @returns commands in the order in which they are applied; none where the rooms are the same
 */
export function commandsBetween(from: Room, to: Room): RoomCommand[] {
  const commands: RoomCommand[] = [];
  const wanted = indexOf(to.elements);
  const known = indexOf(from.elements);
  if (from.elements !== to.elements) {
    const places = new Places(from.elements);
    // What was changed into an element of another type under the same id is another element.
    const isKept = (id: number) => known.has(id) && wanted.get(id)?.element === known.get(id)?.element;
    const isNew = ({ id, children }: Element): boolean => !known.has(id) && children.every(isNew);

    /** Removes an element whose children may be wanted elsewhere. */
    const removeAlone = (id: number): void => {
      for (const child of [...places.below(id)])
        if (isKept(child)) {
          const index = places.move(child, null, places.below(null).at(-1) ?? null);
          commands.push({ type: 'element.move', id: child, parent: null, index });
        }
      places.remove(id);
      commands.push({ type: 'element.remove', id });
    };

    const add = (element: Element, parent: Parent, after: number | null): boolean => {
      if (known.has(element.id) && places.isThere(element.id)) removeAlone(element.id);
      const isWhole = isNew(element);
      const added = isWhole ? element : { ...element, children: [] };
      const index = after === null ? 0 : places.below(parent).indexOf(after) + 1;
      places.add(added, parent, index);
      commands.push({ type: 'element.add', element: added, parent, index });
      return isWhole;
    };

    const arrange = (list: readonly Element[], parent: Parent): void => {
      const order = new Map(places.below(parent).map((id, index) => [id, index]));
      const here = list.filter(({ id }) => isKept(id) && order.has(id));
      const still = longestRising(here.map(({ id }) => order.get(id)!));
      let after: number | null = null;
      for (const element of list) {
        let isDone = false;
        if (!isKept(element.id)) isDone = add(element, parent, after);
        else if (places.parentOf(element.id) !== parent || !still.has(order.get(element.id)!)) {
          const index = places.move(element.id, parent, after);
          commands.push({ type: 'element.move', id: element.id, parent, index });
        }
        after = element.id;
        if (!isDone) arrange(element.children, element.id);
      }
    };
    arrange(to.elements, null);

    // What is wanted has been moved to its place by now, so that nothing wanted goes with its old parent.
    for (const id of known.keys())
      if (!wanted.has(id) && places.isThere(id)) {
        places.remove(id);
        commands.push({ type: 'element.remove', id });
      }

    for (const [id, element] of wanted) {
      const before = known.get(id);
      if (!before || !isKept(id) || before === element) continue;
      const fields = changesOfElement(before, element);
      if (Object.keys(fields).length > 0)
        commands.push({ type: 'element.update', id, fields: fieldsByPath(fields) as ElementFields });
    }
  }
  const fields = changedPaths(roomAlone(from), roomAlone(to));
  if (Object.keys(fields).length > 0)
    commands.push({ type: 'room.update', fields: fieldsByPath(fields) as RoomFields });
  return commands;
}
