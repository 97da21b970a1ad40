import type { Element, FlatElement } from './element.ts';
import type { Room } from './room.ts';
import {
  findElement,
  insertElement,
  moveElement,
  NoSuchElement,
  type Place,
  placeInTree,
  removeElement,
  replaceElement,
  replaceElements,
  walk,
} from './tree.ts';
import { windowOf } from './window.ts';

/** Fields of an element that an edit sets; `config` is merged one level deep. */
export type ElementFields = Partial<Omit<FlatElement, 'id' | 'element' | 'parent_element_id' | 'config'>> & {
  config?: Record<string, unknown>;
};
/** Fields of a room that an edit sets; `config` is merged one level deep. */
export type RoomFields = Partial<Omit<Room, 'id' | 'version' | 'elements' | 'config'>> & {
  config?: Partial<Room['config']>;
};

/** An edit of a room as plain data. */
export type RoomCommand =
  | { type: 'room.update'; fields: RoomFields }
  | ({ type: 'element.add'; element: Element } & Place)
  | { type: 'element.update'; id: number; fields: ElementFields }
  | { type: 'element.remove'; id: number }
  | ({ type: 'element.move'; id: number } & Place);

/** A room after an edit, and the edit that takes it back. */
export interface Applied {
  room: Room;
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

function existing(room: Room, id: number): Element {
  const element = findElement(room.elements, id);
  if (!element) throw new NoSuchElement(id);
  return element;
}

const existsAlready = (id: number) => new RangeError(`Element ${id} exists already.`);

function refuseKnownIds(room: Room, added: Element): void {
  const ids = new Set<number>();
  for (const { id } of walk([added])) {
    if (ids.has(id)) throw existsAlready(id);
    ids.add(id);
  }
  refuseThese(ids, room.elements);
}

function refuseThese(ids: ReadonlySet<number>, elements: readonly Element[]): void {
  for (const { id, children } of elements) {
    if (ids.has(id)) throw existsAlready(id);
    if (children.length > 0) refuseThese(ids, children);
  }
}

/** An element with fields set, and the fields that it had. */
function updated(before: Element, fields: ElementFields): { after: Element; fields: ElementFields } {
  const after = mergeFields(before, fields);
  // A window that came from times goes with them, unless the edit brings another.
  const timed = before.start_time !== null || before.end_time !== null;
  if (timed && !('visible_between' in fields)) after.visible_between = null;
  after.visible_between = windowOf(after);
  const inverse = replaced(before, fields);
  if ('start_time' in fields || 'end_time' in fields) inverse.visible_between = before.visible_between;
  return { after, fields: inverse };
}

function updateElement(room: Room, id: number, fields: ElementFields): Applied {
  const { after, fields: before } = updated(existing(room, id), fields);
  return {
    room: { ...room, elements: replaceElement(room.elements, after) },
    inverse: { type: 'element.update', id, fields: before },
  };
}

type Update = Extract<RoomCommand, { type: 'element.update' }>;

/** The edits of elements' fields that stand in a list from a place on, each of another element. */
export function leadingUpdates(commands: readonly RoomCommand[], from: number): Map<number, Update> {
  const updates = new Map<number, Update>();
  for (let at = from; at < commands.length; at++) {
    const command = commands[at]!;
    if (command.type !== 'element.update' || updates.has(command.id)) break;
    updates.set(command.id, command);
  }
  return updates;
}

/** Edits of many elements' fields in one walk through the tree, instead of one for each. */
function updateMany(room: Room, updates: ReadonlyMap<number, Update>): { room: Room; inverses: RoomCommand[] } {
  const after = new Map<number, Element>();
  const fields = new Map<number, ElementFields>();
  for (const element of walk(room.elements)) {
    const update = updates.get(element.id);
    if (!update) continue;
    const changed = updated(element, update.fields);
    after.set(element.id, changed.after);
    fields.set(element.id, changed.fields);
  }
  const inverses = [...updates.keys()].map((id): RoomCommand => {
    const before = fields.get(id);
    if (!before) throw new NoSuchElement(id);
    return { type: 'element.update', id, fields: before };
  });
  return { room: { ...room, elements: replaceElements(room.elements, after) }, inverses };
}

type Kind = RoomCommand['type'];

/** The commands of one kind that stand in a list from a place on. */
export function runOf<K extends Kind>(commands: readonly RoomCommand[], from: number, kind: K) {
  let end = from;
  while (commands[end]?.type === kind) end++;
  return commands.slice(from, end) as Extract<RoomCommand, { type: K }>[];
}

/** Adds many elements: what is there is looked at once, instead of once for each. */
function addMany(room: Room, adds: readonly Extract<RoomCommand, { type: 'element.add' }>[]) {
  const ids = new Set<number>();
  for (const { id } of walk(room.elements)) ids.add(id);
  let { elements } = room;
  for (const command of adds) {
    for (const { id } of walk([command.element])) {
      if (ids.has(id)) throw existsAlready(id);
      ids.add(id);
    }
    elements = insertElement(elements, command.element, command);
  }
  const inverses = adds.map(({ element }): RoomCommand => ({ type: 'element.remove', id: element.id }));
  return { room: { ...room, elements }, inverses };
}

/**
 * Removes many elements: in one walk through the tree where they stand in it in the order in which they are removed, and
 * not in one another.
 */
function removeMany(room: Room, removes: readonly Extract<RoomCommand, { type: 'element.remove' }>[]) {
  const ids = new Set(removes.map(({ id }) => id));
  const inverses: RoomCommand[] = [];
  let isInOrder = true;
  const cut = (list: Element[], parent: number | null): Element[] => {
    const left: Element[] = [];
    for (const element of list) {
      if (ids.has(element.id)) {
        isInOrder &&= removes[inverses.length]?.id === element.id;
        inverses.push({ type: 'element.add', element, parent, index: left.length });
        continue;
      }
      const children = element.children.length > 0 ? cut(element.children, element.id) : element.children;
      left.push(children === element.children ? element : { ...element, children });
    }
    return left.length === list.length && left.every((element, index) => element === list[index]) ? list : left;
  };
  const elements = cut(room.elements, null);
  if (isInOrder && inverses.length === removes.length) return { room: { ...room, elements }, inverses };
  return oneByOne(room, removes);
}

function oneByOne(room: Room, commands: readonly RoomCommand[]): { room: Room; inverses: RoomCommand[] } {
  let after = room;
  const inverses = commands.map((command) => {
    const applied = applyCommand(after, command);
    after = applied.room;
    return applied.inverse;
  });
  return { room: after, inverses };
}

/** What begins a list and is applied together; null where that is one command. */
function applyTogether(room: Room, commands: readonly RoomCommand[], from: number) {
  switch (commands[from]!.type) {
    case 'element.update': {
      const updates = leadingUpdates(commands, from);
      return updates.size > 1 ? updateMany(room, updates) : null;
    }
    case 'element.add': {
      const adds = runOf(commands, from, 'element.add');
      return adds.length > 1 ? addMany(room, adds) : null;
    }
    case 'element.remove': {
      const removes = runOf(commands, from, 'element.remove');
      return removes.length > 1 ? removeMany(room, removes) : null;
    }
    default:
      return null;
  }
}

/**
 * Applies edits to a room one after the other, or none of them. Costs one walk through the tree for edits of the fields
 * of any number of elements, and for any number that are added or removed.
 * @returns the new room, and for each edit the command that undoes it
 * @throws NoSuchElement, RangeError as `applyCommand` does
 */
export function applyCommands(room: Room, commands: readonly RoomCommand[]): { room: Room; inverses: RoomCommand[] } {
  let after = room;
  const inverses: RoomCommand[] = [];
  while (inverses.length < commands.length) {
    const many = applyTogether(after, commands, inverses.length);
    if (many) {
      after = many.room;
      inverses.push(...many.inverses);
    } else {
      const one = applyCommand(after, commands[inverses.length]!);
      after = one.room;
      inverses.push(one.inverse);
    }
  }
  return { room: after, inverses };
}

/**
 * Applies an edit to a room. The room itself is not changed; parts that the edit does not touch are shared. Values are
 * taken as they are: `checkCommand` holds them against the schemas first where they come from outside.
 * @returns the new room, and the command that undoes the edit
 * @throws NoSuchElement when the command names one that the room does not have
 * @throws RangeError when an element would end up inside itself, or when an added one exists already
 */
export function applyCommand(room: Room, command: RoomCommand): Applied {
  switch (command.type) {
    case 'room.update':
      return {
        room: mergeFields(room, command.fields),
        inverse: { type: 'room.update', fields: replaced(room, command.fields) as RoomFields },
      };
    case 'element.add':
      refuseKnownIds(room, command.element);
      return {
        room: { ...room, elements: insertElement(room.elements, command.element, command) },
        inverse: { type: 'element.remove', id: command.element.id },
      };
    case 'element.update':
      return updateElement(room, command.id, command.fields);
    case 'element.remove': {
      const element = existing(room, command.id);
      const place = placeInTree(room.elements, command.id)!;
      return {
        room: { ...room, elements: removeElement(room.elements, command.id) },
        inverse: { type: 'element.add', element, ...place },
      };
    }
    case 'element.move': {
      existing(room, command.id);
      const place = placeInTree(room.elements, command.id)!;
      return {
        room: { ...room, elements: moveElement(room.elements, command.id, command) },
        inverse: { type: 'element.move', id: command.id, ...place },
      };
    }
  }
}
