import type { ElementFields, RoomCommand, RoomFields } from './commands.ts';
import type { Element } from './element.ts';
import { type ByPath, changedPaths, fieldsByPath } from './field-paths.ts';
import type { Room } from './room.ts';
import { areKeyed, withKeys } from './sibling-keys.ts';
import { byId } from './tree.ts';

/** What does not change by an update: it is the element itself, its place, or follows from other fields. */
export const fieldsAlone = ({
  id: _id,
  element: _type,
  parent_element_id: _parent,
  index: _index,
  ...fields
}: Element) => fields;
/** What a room is besides its elements. */
export const roomAlone = ({ id: _id, version: _version, elements: _elements, ...fields }: Partial<Room>) => fields;

const NOT_UPDATED: ReadonlySet<string> = new Set(['id', 'element', 'parent_element_id', 'index', 'children']);

/** The fields, by path, in which an element differs from what it was. */
export const changesOfElement = (from: Element, to: Element): ByPath => changedPaths(from, to, NOT_UPDATED);

type Known = ReadonlyMap<number, Element>;

/** Elements that cannot stay: another type stands under their id, or they stand in such an element. */
function replacedIn(from: readonly Element[], wanted: Known): Set<number | null> {
  const replaced = new Set<number | null>();
  for (const { id, element, parent_element_id } of from) {
    const type = wanted.get(id)?.element;
    if (replaced.has(parent_element_id) || (type !== undefined && type !== element)) replaced.add(id);
  }
  return replaced;
}

/** Commands that remove elements with their descendants. */
function removals(from: readonly Element[], isGone: (id: number) => boolean): RoomCommand[] {
  const inside = new Set<number | null>();
  return from.flatMap(({ id, parent_element_id }): RoomCommand[] => {
    if (!isGone(id)) return [];
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
  /** Branches that are added, by the ids of all that is in them. */
  const added = new Map<number | null, Element[]>();
  const last = new Map<number | null, number>();
  for (const element of areKeyed(to) ? to : withKeys(to, before)) {
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
  // Elements to keep have moved by now, so none is removed along with its old parent.
  const gone = from.filter(({ id }) => before.has(id) && !wanted.has(id));
  commands.push(...removals(gone, () => true));
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
 * The commands that turn one room into another: additions, removals, moves and changed fields.
 * Where the keys of the second room do not say its order, as few elements as can be get other keys than in the first.
 * @returns commands in the order in which they are applied; none where the rooms are the same
 */
export function commandsBetween(from: Room, to: Room): RoomCommand[] {
  const commands = from.elements === to.elements ? [] : elementCommands(from.elements, to.elements);
  const fields = changedPaths(roomAlone(from), roomAlone(to));
  if (Object.keys(fields).length > 0)
    commands.push({ type: 'room.update', fields: fieldsByPath(fields) as RoomFields });
  return commands;
}
