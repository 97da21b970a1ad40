import { checkCommand } from '../../../../engine/document/check-command.ts';
import {
  type ElementFields,
  mergeFields,
  type RoomCommand,
  type RoomFields,
} from '../../../../engine/document/commands.ts';
import { fieldsAlone, roomAlone } from '../../../../engine/document/commands-between.ts';
import type { Element } from '../../../../engine/document/element.ts';
import { changedPaths, fieldsByPath } from '../../../../engine/document/field-paths.ts';
import type { Room } from '../../../../engine/document/room.ts';
import { findElement } from '../../../../engine/document/tree.ts';
import type { HtmlCleaner } from '../../storage/workers/clean-ahead.ts';
import { readElement } from '../elements/check-element.ts';
import { withoutFile } from '../elements/element-row.ts';
import { configWithoutFile, readRoomFields } from './room-row.ts';

/** An element with all below it as rows will have it: checked, with safe HTML, without what follows from files. */
function settleBranch(element: Element, parent: number | null, html: HtmlCleaner): Element {
  const { children, ...alone } = element;
  return {
    ...withoutFile(readElement(alone, html)),
    parent_element_id: parent,
    children: children.map((child) => settleBranch(child, element.id, html)),
  };
}

/** An element with the fields of an edit, as rows will have it. */
export function editedElement(before: Element, fields: ElementFields, html: HtmlCleaner): Element {
  const merged = mergeFields(before, fields);
  // A window that came from times goes with them.
  const timed = before.start_time !== null || before.end_time !== null;
  if (timed && !('visible_between' in fields)) merged.visible_between = null;
  const { children: _, ...alone } = merged;
  const read = withoutFile(readElement(alone, html));
  return { ...read, parent_element_id: before.parent_element_id, children: before.children };
}

/** A room with the fields of an edit, as its row will have it. */
export function editedRoom(before: Room, fields: RoomFields, html: HtmlCleaner): Room {
  const { id: _id, version: _version, elements: _elements, template: _template, ...alone } = before;
  const read = readRoomFields(mergeFields(alone, fields), html);
  return { ...before, ...read, config: configWithoutFile(read.config) };
}

/**
 * Holds a command against the room that it changes, and gives it as the log keeps it: an edit names exactly the fields that it
 * changes, what follows from them included, so that whoever applies it gets what the rows have.
 * @param html makes HTML safe
 * @throws ZodError when a value breaks its bounds
 * @throws NoSuchElement, RangeError as `checkCommand` does
 */
export function settleCommand(room: Room, command: RoomCommand, html: HtmlCleaner): RoomCommand {
  const checked = checkCommand(room, command);
  if (checked.type === 'room.update') {
    const changed = changedPaths(roomAlone(room), roomAlone(editedRoom(room, checked.fields, html)));
    return { type: 'room.update', fields: fieldsByPath(changed) as RoomFields };
  }
  if (checked.type === 'element.update') {
    const before = findElement(room.elements, checked.id)!;
    const changed = changedPaths(fieldsAlone(before), fieldsAlone(editedElement(before, checked.fields, html)));
    return { type: 'element.update', id: checked.id, fields: fieldsByPath(changed) as ElementFields };
  }
  if (checked.type === 'element.add')
    return { ...checked, element: settleBranch(checked.element, checked.parent, html) };
  return checked;
}
