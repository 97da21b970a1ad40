import type { Element, NestedElement } from './element.ts';
import type { Room } from './room.ts';
import { keysBetween, MAX_KEY, withKeys } from './sibling-keys.ts';
import { findIn, flatten, keepLayout, type Layout, layoutOf, NoSuchElement } from './tree.ts';
import { windowOf } from './window.ts';

/** Fields of an element that an edit sets; `config` is merged one level deep. */
export type ElementFields = Partial<Omit<Element, 'id' | 'element' | 'parent_element_id' | 'index' | 'config'>> & {
  config?: Record<string, unknown>;
};
/** Fields of a room that an edit sets; `config` is merged one level deep. */
export type RoomFields = Partial<Omit<Room, 'id' | 'version' | 'elements' | 'config'>> & {
  config?: Partial<Room['config']>;
};

/** Where an edit puts an element. */
export interface Place {
  /** Element that holds it; null for the top of the room. */
  parent: number | null;
  /** Sibling in front of it; null for the first place. Where that is gone, and when left out: the last place. */
  after?: number | null;
  /** Key that orders it among its siblings, which decides over `after`; the edit itself makes one when left out. */
  index?: string;
}

type Update =
  | { type: 'room.update'; fields: RoomFields }
  | { type: 'element.update'; id: number; fields: ElementFields };

/** An edit of a room as plain data. An addition is a branch: an element followed by its descendants. */
export type RoomCommand =
  | Update
  | ({ type: 'element.add'; elements: readonly Element[] } & Place)
  | { type: 'element.remove'; id: number }
  | ({ type: 'element.move'; id: number } & Place);

type OlderPlace = Omit<Place, 'index'> & { index?: number | string };

/** An edit as calls carry it, with a tree of elements, and as versions up to 0.15 kept it, with places counted from 0. */
export type OlderCommand =
  | RoomCommand
  | ({ type: 'element.add'; element: NestedElement } & OlderPlace)
  | ({ type: 'element.move'; id: number } & OlderPlace);

/** A room after an edit, the edit with the key that it made, and the edit that takes it back. */
export interface Applied {
  room: Room;
  command: RoomCommand;
  inverse: RoomCommand;
}

type Fields = { config?: object };

const pick = (from: object, keys: object) =>
  Object.fromEntries(Object.keys(keys).map((key) => [key, (from as Record<string, unknown>)[key]]));

/** The values that `fields` would replace, in the same shape. */
function replaced(before: { config: object }, fields: Fields): Record<string, unknown> {
  const old = pick(before, fields);
  return fields.config ? { ...old, config: pick(before.config, fields.config) } : old;
}

/** An object with fields set; `config` merged one level deep. */
export function mergeFields<T extends { config: object }>(before: T, fields: Fields): T {
  return { ...before, ...fields, config: { ...before.config, ...fields.config } };
}

/** An element with the fields of an edit, and with the window that follows from them. */
export function updatedElement(before: Element, fields: ElementFields): Element {
  const after = mergeFields(before, fields);
  // A window that came from times goes with them, unless the edit brings another.
  const timed = before.start_time !== null || before.end_time !== null;
  if (timed && !('visible_between' in fields)) after.visible_between = null;
  after.visible_between = windowOf(after);
  return after;
}

/** The fields that an edit replaces. */
function replacedFields(before: Element, fields: ElementFields): ElementFields {
  const inverse = replaced(before, fields);
  if ('start_time' in fields || 'end_time' in fields) inverse.visible_between = before.visible_between;
  return inverse;
}

type Parent = number | null;

/** Edits of elements up to which a list is changed in place; it is put together anew after more. */
const FEW = 16;

/** A room while edits are applied to it, one after the other. The room that it begins with does not change. */
export class Draft {
  #fields: Room;
  readonly #before: readonly Element[];
  readonly #layout: Layout;
  /** Changed elements by id; null for removed ones. */
  readonly #changed = new Map<number, Element | null>();
  /** Children that differ, in order. */
  readonly #lists = new Map<Parent, number[]>();
  /** The elements as they are now, while few edits have changed them. */
  #now: Element[] | undefined;
  #edits = 0;
  #added = 0;

  constructor(room: Room) {
    this.#fields = room;
    this.#before = room.elements;
    this.#layout = layoutOf(room.elements);
  }

  /** The room without its elements, as it is now. */
  get fields(): Omit<Room, 'elements'> {
    return this.#fields;
  }

  /** Number of elements. */
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

  /** Ids of an element's children, in order; null for the top level. */
  below(parent: Parent): readonly number[] {
    return this.#lists.get(parent) ?? this.#layout.lists.get(parent) ?? [];
  }

  /** An element and everything below it. */
  branch(id: number): Element[] {
    return [this.existing(id), ...this.below(id).flatMap((child) => this.branch(child))];
  }

  /** Whether an element is another one, or stands in it. */
  isIn(id: number, other: number): boolean {
    for (let above: Parent | undefined = id; above != null; above = this.get(above)?.parent_element_id)
      if (above === other) return true;
    return false;
  }

  /**
   * Applies an edit. Values are taken as they are: `checkCommand` holds them against the schemas first where they come from
   * outside.
   * @returns the edit with the key that it made, and the edit that takes it back
   * @throws NoSuchElement when the edit names one that the room does not have; nothing is changed then
   * @throws RangeError when an element would end up inside itself, or when an added one exists already; nothing is changed
   */
  apply(command: RoomCommand): Omit<Applied, 'room'> {
    switch (command.type) {
      case 'room.update': {
        const fields = replaced(this.#fields, command.fields) as RoomFields;
        this.#fields = mergeFields(this.#fields, command.fields);
        return { command, inverse: { type: 'room.update', fields } };
      }
      case 'element.update': {
        const { type, id } = command;
        const before = this.existing(id);
        const after = updatedElement(before, command.fields);
        this.#changed.set(id, after);
        this.#edit((now) => now.splice(now.indexOf(before), 1, after));
        return { command, inverse: { type, id, fields: replacedFields(before, command.fields) } };
      }
      case 'element.add':
        return this.#add(command);
      case 'element.remove': {
        const elements = this.branch(command.id);
        const place = this.#placeOf(elements[0]!);
        this.#take(elements);
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
        const [, ...inside] = this.#take(this.branch(id));
        this.#put([{ ...element, parent_element_id: parent, index }, ...inside]);
        return { command: { ...command, index }, inverse: { type: 'element.move', id, ...place } };
      }
    }
  }

  #add(command: Extract<RoomCommand, { type: 'element.add' }>): Omit<Applied, 'room'> {
    const { elements, parent } = command;
    const ids = new Set<number>();
    for (const { id } of elements) {
      if (ids.has(id) || this.get(id)) throw new RangeError(`Element ${id} exists already.`);
      ids.add(id);
    }
    const [top, ...inside] = elements;
    const index = this.#keyFor(command);
    const placed = { ...top!, parent_element_id: parent, index };
    for (const element of inside) {
      this.#changed.set(element.id, element);
      this.#ownList(element.parent_element_id).push(element.id);
    }
    this.#put([placed, ...inside]);
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

  /** The key that a place says, or one between those beside it. */
  #keyFor({ parent, after, index }: Place, moving?: Element): string {
    if (parent !== null) this.existing(parent);
    if (index !== undefined) return index;
    if (moving?.parent_element_id === parent && this.#placeOf(moving).after === after) return moving.index;
    const siblings = this.below(parent).filter((id) => id !== moving?.id);
    const found = after == null ? -1 : siblings.indexOf(after);
    const before = after === null ? -1 : found === -1 ? siblings.length - 1 : found;
    const keyAt = (place: number) => this.get(siblings[place] ?? 0)?.index ?? null;
    const low = keyAt(before);
    let next = before + 1;
    // A key that another one has, too, leaves no room between them.
    while (low !== null && next < siblings.length && keyAt(next)! <= low) next++;
    return keysBetween(low, keyAt(next), 1)[0]!;
  }

  /** Edits that give an element and siblings around it shorter keys; none while its own is short enough. */
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
    if (this.#edits > FEW) this.#now = undefined;
    if (this.#now) change(this.#now);
  }

  /** Takes a branch out of the place where it stands, and gives it. */
  #take(branch: readonly Element[]): readonly Element[] {
    const [top] = branch;
    const list = this.#ownList(top!.parent_element_id);
    list.splice(list.indexOf(top!.id), 1);
    this.#edit((now) => now.splice(now.indexOf(top!), branch.length));
    return branch;
  }

  #put(branch: readonly Element[]): void {
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

  /** The room as it is now; parts that no edit touched are those of the room before. */
  get room(): Room {
    if (this.#edits === 0) return this.#fields;
    const elements = this.#now ? [...this.#now] : this.#assembled();
    keepLayout(elements, this.#layout, { changed: this.#changed, lists: this.#lists });
    return { ...this.#fields, elements };
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
 * Applies edits to a room one after the other, or none of them.
 * @returns the new room, and for each edit the one that undoes it
 * @throws NoSuchElement, RangeError as `Draft.apply` does
 */
export function applyCommands(room: Room, commands: readonly RoomCommand[]): { room: Room; inverses: RoomCommand[] } {
  const draft = new Draft(room);
  const inverses = commands.map((command) => draft.apply(command).inverse);
  return { room: draft.room, inverses };
}

/**
 * Applies an edit to a room. The room itself is not changed; parts that the edit does not touch are shared.
 * @throws NoSuchElement, RangeError as `Draft.apply` does
 */
export function applyCommand(room: Room, command: RoomCommand): Applied {
  const draft = new Draft(room);
  const applied = draft.apply(command);
  return { ...applied, room: draft.room };
}

/**
 * An edit in the form of this version.
 * @param siblingsIn ids of the children of an element, in order, in the room that the edit is about
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

/** An edit that has its own keys, as calls carry it, in the form of this version. */
export const readCommand = (command: object): RoomCommand => liftCommand(() => [], command as OlderCommand);

const withBranch = <C extends { element: NestedElement; parent: Parent }>({ element, ...rest }: C) => ({
  ...rest,
  elements: withKeys(flatten([element], rest.parent)),
});
