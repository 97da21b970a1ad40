import type { Differing } from './differing-elements.ts';
import type { Element, NestedElement } from './element.ts';
import { currentSettings, mergeSettings, valuesAt } from './field-paths.ts';
import type { Room } from './room.ts';
import { keysBetween, MAX_KEY, withKeys } from './sibling-keys.ts';
import { byId, cacheLayout, findIn, flatten, type Layout, layoutOf, NoSuchElement } from './tree.ts';
import { windowOf } from './window.ts';

/** Element fields to set; `config` is merged one level deep. */
export type ElementFields = Partial<Omit<Element, 'id' | 'element' | 'parent_element_id' | 'index' | 'config'>> & {
  config?: Record<string, unknown>;
};
/** Room fields to set; `config` is merged one level deep. */
export type RoomFields = Partial<Omit<Room, 'id' | 'version' | 'elements' | 'config'>> & {
  config?: Partial<Room['config']>;
};

/** Position of an element in the tree. */
export interface Place {
  /** Parent element; null for the top level. */
  parent: number | null;
  /** Previous sibling; null for the first position. If it is missing or omitted, the element goes last. */
  after?: number | null;
  /** Sort key among siblings, which takes precedence over `after`; generated if omitted. */
  index?: string;
}

type Update =
  | { type: 'room.update'; fields: RoomFields }
  | { type: 'element.update'; id: number; fields: ElementFields };

/** A room edit as plain data. An addition contains a branch: an element followed by its descendants. */
export type RoomCommand =
  | Update
  | ({ type: 'element.add'; elements: readonly Element[] } & Place)
  | { type: 'element.remove'; id: number }
  | ({ type: 'element.move'; id: number } & Place);

type OlderPlace = Omit<Place, 'index'> & { index?: number | string };

/** An edit as in API calls, with nested elements, or as stored up to version 0.15, with positions counted from 0. */
export type OlderCommand =
  | RoomCommand
  | ({ type: 'element.add'; element: NestedElement } & OlderPlace)
  | ({ type: 'element.move'; id: number } & OlderPlace);

/** The edited room, the edit with its generated key, and its inverse. */
export interface Applied {
  room: Room;
  command: RoomCommand;
  inverse: RoomCommand;
}

type Fields = { config?: object };

/** The current values of `fields`, in the same shape. */
function currentValues(before: { config: object }, fields: Fields): Record<string, unknown> {
  const old = valuesAt(before, fields);
  return fields.config ? { ...old, config: currentSettings(before.config, fields.config) } : old;
}

/** Sets fields of an object; `config` is merged one level deep, and its translations two. */
export function mergeFields<T extends { config: object }>(before: T, fields: Fields): T {
  return { ...before, ...fields, config: mergeSettings(before.config, fields.config) };
}

/** Sets fields of an element and derives its window. */
export function updatedElement(before: Element, fields: ElementFields): Element {
  const after = mergeFields(before, fields);
  // A window derived from times is removed with them, unless the edit sets another.
  const timed = before.start_time !== null || before.end_time !== null;
  if (timed && !('visible_between' in fields)) after.visible_between = null;
  after.visible_between = windowOf(after);
  return after;
}

/** The current values of an edit's fields. */
function currentFields(before: Element, fields: ElementFields): ElementFields {
  const inverse = currentValues(before, fields);
  if ('start_time' in fields || 'end_time' in fields) inverse.visible_between = before.visible_between;
  return inverse;
}

type Parent = number | null;

/** Sorts elements of a list by their position in it. */
function inOrder(some: Element[], list: readonly Element[]): Element[] {
  if (some.length < 2) return some;
  const wanted = new Set(some);
  return list.filter((element) => wanted.has(element));
}

/** Number of element edits applied to the list in place; beyond that, the list is rebuilt. */
const MAX_IN_PLACE_EDITS = 16;

/** A mutable copy of a room for a sequence of edits. The original room doesn't change. */
export class Draft {
  #fields: Room;
  readonly #before: readonly Element[];
  readonly #layout: Layout;
  /** Changed elements by id; null for removed ones. */
  readonly #changed = new Map<number, Element | null>();
  /** Changed child lists, in order. */
  readonly #lists = new Map<Parent, number[]>();
  /** The current element list, until there are too many edits. */
  #now: Element[] | undefined;
  /** Whether the list is part of a returned room, so that it is copied before the next edit. */
  #isShared = false;
  #edits = 0;
  #added = 0;

  constructor(room: Room) {
    this.#fields = room;
    this.#before = room.elements;
    this.#layout = layoutOf(room.elements);
  }

  /** The current room without its elements. */
  get fields(): Omit<Room, 'elements'> {
    return this.#fields;
  }

  get size(): number {
    return this.#before.length + this.#added;
  }

  get(id: number): Element | undefined {
    const changed = this.#changed.get(id);
    return changed === undefined ? findIn(this.#layout, id) : (changed ?? undefined);
  }

  /** @throws NoSuchElement */
  existing(id: number): Element {
    const element = this.get(id);
    if (!element) throw new NoSuchElement(id);
    return element;
  }

  /** Ordered child ids of an element; null for the top level. */
  below(parent: Parent): readonly number[] {
    return this.#lists.get(parent) ?? this.#layout.lists.get(parent) ?? [];
  }

  /** An element and its descendants. */
  branch(id: number): Element[] {
    return [this.existing(id), ...this.below(id).flatMap((child) => this.branch(child))];
  }

  /** Whether an element is another one or its descendant. */
  isIn(id: number, other: number): boolean {
    for (let above: Parent | undefined = id; above != null; above = this.get(above)?.parent_element_id)
      if (above === other) return true;
    return false;
  }

  /**
   * Applies an edit without validation; untrusted edits go through `checkCommand` first.
   * @returns the edit with its generated key, and its inverse
   * @throws NoSuchElement if an element is not in the room; nothing changes
   * @throws RangeError if an element would contain itself, or an added element already exists; nothing changes
   */
  apply(command: RoomCommand): Omit<Applied, 'room'> {
    switch (command.type) {
      case 'room.update': {
        const fields = currentValues(this.#fields, command.fields) as RoomFields;
        this.#fields = mergeFields(this.#fields, command.fields);
        return { command, inverse: { type: 'room.update', fields } };
      }
      case 'element.update': {
        const { type, id } = command;
        const before = this.existing(id);
        const after = updatedElement(before, command.fields);
        this.#changed.set(id, after);
        this.#edit((now) => now.splice(now.indexOf(before), 1, after));
        return { command, inverse: { type, id, fields: currentFields(before, command.fields) } };
      }
      case 'element.add':
        return this.#add(command);
      case 'element.remove': {
        const elements = this.branch(command.id);
        const place = this.#placeOf(elements[0]!);
        this.#remove(elements);
        for (const { id } of elements) {
          this.#changed.set(id, null);
          if (this.below(id).length > 0) this.#lists.set(id, []);
        }
        this.#added -= elements.length;
        return { command, inverse: { type: 'element.add', elements, ...place } };
      }
      case 'element.move': {
        const element = this.existing(command.id);
        const { id } = element;
        const { parent } = command;
        if (parent !== null && this.isIn(parent, id)) throw new RangeError(`Element ${id} can't be moved into itself.`);
        const index = this.#keyFor(command, element);
        const place = this.#placeOf(element);
        const [, ...inside] = this.#remove(this.branch(id));
        this.#insert([{ ...element, parent_element_id: parent, index }, ...inside]);
        return { command: { ...command, index }, inverse: { type: 'element.move', id, ...place } };
      }
    }
  }

  #add(command: Extract<RoomCommand, { type: 'element.add' }>): Omit<Applied, 'room'> {
    const { elements, parent } = command;
    const ids = new Set<number>();
    for (const { id } of elements) {
      if (ids.has(id) || this.get(id)) throw new RangeError(`Element ${id} already exists.`);
      ids.add(id);
    }
    const [top, ...inside] = elements;
    const index = this.#keyFor(command);
    const placed = { ...top!, parent_element_id: parent, index };
    for (const element of inside) {
      this.#changed.set(element.id, element);
      this.#ownList(element.parent_element_id).push(element.id);
    }
    this.#insert([placed, ...inside]);
    this.#added += elements.length;
    return {
      command: { ...command, elements: [placed, ...inside], index },
      inverse: { type: 'element.remove', id: placed.id },
    };
  }

  #placeOf({ id, parent_element_id: parent, index }: Element): Place {
    const siblings = this.below(parent);
    return { parent, after: siblings[siblings.indexOf(id) - 1] ?? null, index };
  }

  /** The key of a position, generated between its neighbors if not given. */
  #keyFor({ parent, after, index }: Place, moving?: Element): string {
    if (parent !== null) this.existing(parent);
    if (index !== undefined) return index;
    if (moving?.parent_element_id === parent && this.#placeOf(moving).after === after) return moving.index;
    const all = this.below(parent);
    const own = moving?.parent_element_id === parent ? all.indexOf(moving.id) : -1;
    const siblings = own === -1 ? all : all.toSpliced(own, 1);
    const found = after == null ? -1 : siblings.indexOf(after);
    const before = after === null ? -1 : found === -1 ? siblings.length - 1 : found;
    const keyAt = (place: number) => this.get(siblings[place] ?? 0)?.index ?? null;
    const low = keyAt(before);
    let next = before + 1;
    // Skip siblings with equal keys: no key fits between them.
    while (low !== null && next < siblings.length && keyAt(next)! <= low) next++;
    return keysBetween(low, keyAt(next), 1)[0]!;
  }

  /** Moves that shorten the keys of an element and its neighbors; empty if its key is short enough. */
  shortened(id: number): RoomCommand[] {
    const { parent_element_id: parent, index } = this.existing(id);
    if (index.length <= MAX_KEY) return [];
    const siblings = this.below(parent);
    const keyAt = (place: number) => this.get(siblings[place] ?? 0)?.index ?? null;
    const at = siblings.indexOf(id);
    for (let reach = 16; ; reach *= 4) {
      const from = Math.max(0, at - reach);
      const moving = siblings.slice(from, at + reach);
      const keys = keysBetween(keyAt(from - 1), keyAt(from + moving.length), moving.length);
      if (moving.length < siblings.length && keys.some(({ length }) => length > MAX_KEY / 2)) continue;
      return moving.map((each, place) => ({
        type: 'element.move',
        id: each,
        parent,
        after: siblings[from + place - 1] ?? null,
        index: keys[place]!,
      }));
    }
  }

  #ownList(parent: Parent): number[] {
    const list = this.#lists.get(parent) ?? [...this.below(parent)];
    this.#lists.set(parent, list);
    return list;
  }

  #edit(change: (now: Element[]) => void): void {
    if (this.#edits++ === 0) this.#now = [...this.#before];
    if (this.#edits > MAX_IN_PLACE_EDITS) this.#now = undefined;
    if (!this.#now) return;
    if (this.#isShared) this.#now = [...this.#now];
    this.#isShared = false;
    change(this.#now);
  }

  /** Removes a branch from its position and returns it. */
  #remove(branch: readonly Element[]): readonly Element[] {
    const [top] = branch;
    const list = this.#ownList(top!.parent_element_id);
    list.splice(list.indexOf(top!.id), 1);
    this.#edit((now) => now.splice(now.indexOf(top!), branch.length));
    return branch;
  }

  #insert(branch: readonly Element[]): void {
    const { id, parent_element_id: parent, index } = branch[0]!;
    const list = this.#ownList(parent);
    let [low, high] = [0, list.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.existing(list[middle]!).index < index) low = middle + 1;
      else high = middle;
    }
    const sibling = list[low - 1];
    this.#changed.set(id, branch[0]!);
    list.splice(low, 0, id);
    this.#edit((now) => {
      const inFront = sibling === undefined ? (parent === null ? [] : [this.get(parent)!]) : this.branch(sibling);
      now.splice(inFront.length > 0 ? now.indexOf(inFront[0]!) + inFront.length : 0, 0, ...branch);
    });
  }

  /** The current room; unchanged parts are shared with the original. */
  get room(): Room {
    if (this.#edits === 0) return this.#fields;
    const elements = this.#now ?? this.#assembled();
    this.#isShared = true;
    cacheLayout(elements, this.#layout, { changed: this.#changed, lists: this.#lists });
    return { ...this.#fields, elements };
  }

  /**
   * The elements that differ between the original room and the current one, in tree order: like `differingElements`,
   * without a pass over all elements if only one has changed.
   */
  differing({ elements }: Pick<Room, 'elements'>): Differing {
    const had: Element[] = [];
    const has: Element[] = [];
    for (const [id, element] of this.#changed) {
      const before = findIn(this.#layout, id);
      if (before === (element ?? undefined)) continue;
      if (before) had.push(before);
      if (element) has.push(element);
    }
    return { had: byId(inOrder(had, this.#before)), has: byId(inOrder(has, elements)) };
  }

  #assembled(): Element[] {
    if (this.#lists.size === 0) return this.#before.map((element) => this.#changed.get(element.id) ?? element);
    const elements: Element[] = [];
    const visit = (parent: Parent): void => {
      for (const id of this.below(parent)) {
        elements.push(this.get(id)!);
        visit(id);
      }
    };
    visit(null);
    return elements;
  }
}

/**
 * Applies edits to a room in order, or none of them.
 * @returns the new room, and the inverse of each edit
 * @throws NoSuchElement, RangeError as `Draft.apply` does
 */
export function applyCommands(room: Room, commands: readonly RoomCommand[]): { room: Room; inverses: RoomCommand[] } {
  const draft = new Draft(room);
  const inverses = commands.map((command) => draft.apply(command).inverse);
  return { room: draft.room, inverses };
}

/**
 * Applies an edit to a room. The original doesn't change; unchanged parts are shared.
 * @throws NoSuchElement, RangeError as `Draft.apply` does
 */
export function applyCommand(room: Room, command: RoomCommand): Applied {
  const draft = new Draft(room);
  const applied = draft.apply(command);
  return { ...applied, room: draft.room };
}

/**
 * Converts an edit to the current format.
 * @param siblingsIn returns the child ids of an element in the room before the edit
 */
export function liftCommand(siblingsIn: (parent: Parent) => readonly number[], command: OlderCommand): RoomCommand {
  if (command.type !== 'element.add' && command.type !== 'element.move') return command;
  const { index, ...rest } = command;
  const lifted = 'element' in rest ? withBranch(rest) : rest;
  if (typeof index === 'string') return { ...lifted, index } as RoomCommand;
  if (index === undefined) return lifted as RoomCommand;
  const moving = command.type === 'element.move' ? command.id : null;
  const others = siblingsIn(command.parent).filter((id) => id !== moving);
  return { ...lifted, after: others[Math.min(index, others.length) - 1] ?? null } as RoomCommand;
}

/** Converts an edit with its own keys, as in API calls, to the current format. */
export const readCommand = (command: object): RoomCommand => liftCommand(() => [], command as OlderCommand);

const withBranch = <C extends { element: NestedElement; parent: Parent }>({ element, ...rest }: C) => ({
  ...rest,
  elements: withKeys(flatten([element], rest.parent)),
});
