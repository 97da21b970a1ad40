import type { ElementFields, RoomCommand, RoomFields } from './commands.ts';
import type { Element } from './element.ts';
import { type ByPath, changedPaths, fieldsByPath } from './field-paths.ts';
import type { Room } from './room.ts';
import { areKeysInOrder, withKeys } from './sibling-keys.ts';
import { byId } from './tree.ts';

/** An element without identity, position in the tree and derived fields, none of which an update changes. */
export const updatableFields = ({
  id: _id,
  element: _type,
  parent_element_id: _parent,
  index: _index,
  ...fields
}: Element) => fields;
/** A room without its elements, id and version. */
export const roomFieldsOf = ({ id: _id, version: _version, elements: _elements, ...fields }: Partial<Room>) => fields;

const NOT_UPDATED: ReadonlySet<string> = new Set(['id', 'element', 'parent_element_id', 'index', 'children']);

/** The changed fields of an element, by path. */
export const changesOfElement = (from: Element, to: Element): ByPath => changedPaths(from, to, NOT_UPDATED);

type Known = ReadonlyMap<number, Element>;

/** Elements to replace: those whose id now has another type, and their descendants. */
function replacedIn(from: readonly Element[], wanted: Known): Set<number | null> {
  const replaced = new Set<number | null>();
  for (const { id, element, parent_element_id } of from) {
    const type = wanted.get(id)?.element;
    if (replaced.has(parent_element_id) || (type !== undefined && type !== element)) replaced.add(id);
  }
  return replaced;
}

/** Commands that remove elements with their descendants. */
function removals(from: readonly Element[], isRemoved: (id: number) => boolean): RoomCommand[] {
  const inside = new Set<number | null>();
  return from.flatMap(({ id, parent_element_id }): RoomCommand[] => {
    if (!isRemoved(id)) return [];
    inside.add(id);
    return inside.has(parent_element_id) ? [] : [{ type: 'element.remove', id }];
  });
}

function elementCommands(from: readonly Element[], to: readonly Element[]): RoomCommand[] {
  const known = byId(from);
  const wanted = byId(to);
  const replaced = replacedIn(from, wanted);
  const commands = removals(from, (id) => replaced.has(id));
  const before = byId(from.filter(({ id }) => !replaced.has(id)));
  /** Added branches by the ids of all their elements. */
  const added = new Map<number | null, Element[]>();
  const last = new Map<number | null, number>();
  for (const element of areKeysInOrder(to) ? to : withKeys(to, before)) {
    const { id, parent_element_id: parent, index } = element;
    const place = { parent, after: last.get(parent) ?? null, index };
    last.set(parent, id);
    const old = before.get(id);
    if (old) {
      if (old.parent_element_id !== parent || old.index !== index)
        commands.push({ type: 'element.move', id, ...place });
      continue;
    }
    const branch = added.get(parent) ?? [];
    added.set(id, branch);
    branch.push(element);
    if (branch.length === 1) commands.push({ type: 'element.add', elements: branch, ...place });
  }
  // Kept elements have moved by now, so removing an old parent doesn't remove them.
  const removed = from.filter(({ id }) => before.has(id) && !wanted.has(id));
  commands.push(...removals(removed, () => true));
  for (const [id, element] of wanted) {
    const old = before.get(id);
    if (!old || known.get(id) === element) continue;
    const fields = changesOfElement(old, element);
    if (Object.keys(fields).length > 0)
      commands.push({ type: 'element.update', id, fields: fieldsByPath(fields) as ElementFields });
  }
  return commands;
}

/**
 * The commands that turn one room into another: additions, removals, moves and field changes.
 * If the second room's keys don't match its order, as few elements as possible get new keys.
 * @returns commands in order of application; empty if the rooms are equal
 */
export function commandsBetween(from: Room, to: Room): RoomCommand[] {
  const commands = from.elements === to.elements ? [] : elementCommands(from.elements, to.elements);
  const fields = changedPaths(roomFieldsOf(from), roomFieldsOf(to));
  if (Object.keys(fields).length > 0)
    commands.push({ type: 'room.update', fields: fieldsByPath(fields) as RoomFields });
  return commands;
}
