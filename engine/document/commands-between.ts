import { applyCommand, type ElementFields, type RoomCommand, type RoomFields } from './commands.ts';
import type { Element } from './element.ts';
import { changedPaths, fieldsByPath } from './field-paths.ts';
import type { Room } from './room.ts';
import { childrenOf, walk } from './tree.ts';

/** What does not change by an update: it is the element itself, its place, or follows from other fields. */
const fieldsAlone = ({
  id: _id,
  element: _type,
  parent_element_id: _parent,
  children: _children,
  ...fields
}: Element) => fields;
const roomAlone = ({ id: _id, version: _version, elements: _elements, ...fields }: Room) => fields;

/** Every element by its id. */
export const indexOf = (elements: readonly Element[]): Map<number, Element> =>
  new Map([...walk(elements)].map((element) => [element.id, element]));

/**
 * The commands that make one room out of another: what is new, what is gone, what moved, and the fields that changed.
 * @returns commands in the order in which they are applied; none where the rooms are the same
 */
export function commandsBetween(from: Room, to: Room): RoomCommand[] {
  const commands: RoomCommand[] = [];
  let room = from;
  const apply = (command: RoomCommand) => {
    room = applyCommand(room, command).room;
    commands.push(command);
  };

  const wanted = indexOf(to.elements);
  const known = indexOf(from.elements);
  // What was changed into an element of another type under the same id is another element.
  const isKept = (id: number) => known.has(id) && wanted.get(id)?.element === known.get(id)?.element;
  const isThere = (id: number) => childrenOf(room.elements, id) !== undefined;
  arrange(to.elements, null);

  function arrange(list: readonly Element[], parent: number | null): void {
    for (const [index, element] of list.entries()) {
      if (isKept(element.id)) {
        if (childrenOf(room.elements, parent)?.[index]?.id !== element.id)
          apply({ type: 'element.move', id: element.id, parent, index });
      } else {
        if (known.has(element.id) && isThere(element.id)) removeAlone(element.id);
        apply({ type: 'element.add', element: { ...element, children: [] }, parent, index });
      }
      arrange(element.children, element.id);
    }
  }

  /** Removes an element whose children may be wanted elsewhere. */
  function removeAlone(id: number): void {
    for (const child of [...(childrenOf(room.elements, id) ?? [])])
      if (isKept(child.id)) apply({ type: 'element.move', id: child.id, parent: null, index: room.elements.length });
    apply({ type: 'element.remove', id });
  }

  // What is wanted has been moved to its place by now, so that nothing wanted goes with its old parent.
  for (const id of known.keys()) if (!wanted.has(id) && isThere(id)) apply({ type: 'element.remove', id });

  for (const [id, element] of wanted) {
    const before = known.get(id);
    if (!before || !isKept(id) || before === element) continue;
    const fields = changedPaths(fieldsAlone(before), fieldsAlone(element));
    if (Object.keys(fields).length > 0)
      apply({ type: 'element.update', id, fields: fieldsByPath(fields) as ElementFields });
  }
  const fields = changedPaths(roomAlone(from), roomAlone(to));
  if (Object.keys(fields).length > 0) apply({ type: 'room.update', fields: fieldsByPath(fields) as RoomFields });
  return commands;
}
