import { checkCommand } from '../../../../engine/document/check-command.ts';
import {
  type Draft,
  type ElementFields,
  mergeFields,
  type OlderCommand,
  type RoomCommand,
  type RoomFields,
} from '../../../../engine/document/commands.ts';
import { fieldsAlone, roomAlone } from '../../../../engine/document/commands-between.ts';
import type { Element } from '../../../../engine/document/element.ts';
import { changedPaths, fieldsByPath } from '../../../../engine/document/field-paths.ts';
import type { Room } from '../../../../engine/document/room.ts';
import { hasOffset } from '../../../../engine/document/time-zone.ts';
import { offsetOf } from '../../../../engine/document/window.ts';
import type { HtmlCleaner } from '../../core/files/workers/clean-ahead.ts';
import { readElement } from './check-element.ts';
import { withoutFile } from './element-row.ts';
import { configWithoutFile, readRoomFields } from './room-row.ts';

/**
 * What an edit does to the clock of an element's times. A zone decides over an offset. An offset alone keeps the zone if it
 * is one of the zone's, and otherwise replaces it; a zone that is removed leaves its offset.
 */
function clockAfter(before: Element, { time_zone, utc_offset }: ElementFields, now: number): Partial<Element> {
  const zone = before.time_zone;
  if (zone == null || time_zone) return {};
  if (time_zone === null) return utc_offset == null ? { utc_offset: offsetOf(before, now) } : {};
  return utc_offset == null || hasOffset(zone, utc_offset, now) ? {} : { time_zone: null };
}

/** An element with the fields of an edit, as rows will have it. @param now seconds since 1970 */
export function editedElement(
  before: Element,
  fields: ElementFields,
  { html, now }: { html: HtmlCleaner; now: number },
): Element {
  const merged = mergeFields(before, fields);
  Object.assign(merged, clockAfter(before, fields, now));
  // A window that came from times goes with them.
  const timed = before.start_time !== null || before.end_time !== null;
  if (timed && !('visible_between' in fields)) merged.visible_between = null;
  const { parent_element_id, index } = before;
  return { ...withoutFile(readElement(merged, html)), parent_element_id, index };
}

/** A room with the fields of an edit, as its row will have it. */
export function editedRoom<R extends Omit<Room, 'elements'>>(before: R, fields: RoomFields, html: HtmlCleaner): R {
  const { id: _id, version: _version, template: _template, ...alone } = before;
  const read = readRoomFields(mergeFields(alone, fields), html);
  return { ...before, ...read, config: configWithoutFile(read.config) };
}

/**
 * Holds a command against the room that it changes, and gives it as the log keeps it: an edit names exactly the fields that it
 * changes, what follows from them included, so that whoever applies it gets what the rows have.
 * @param html makes HTML safe
 * @param now seconds since 1970
 * @throws ZodError when a value breaks its bounds
 * @throws NoSuchElement, RangeError as `checkCommand` does
 */
export function settleCommand(
  draft: Draft,
  command: OlderCommand,
  { html, now }: { html: HtmlCleaner; now: number },
): RoomCommand {
  const checked = checkCommand(draft, command);
  if (checked.type === 'room.update') {
    const changed = changedPaths(roomAlone(draft.fields), roomAlone(editedRoom(draft.fields, checked.fields, html)));
    return { type: 'room.update', fields: fieldsByPath(changed) as RoomFields };
  }
  if (checked.type === 'element.update') {
    const before = draft.existing(checked.id);
    const changed = changedPaths(
      fieldsAlone(before),
      fieldsAlone(editedElement(before, checked.fields, { html, now })),
    );
    return { type: 'element.update', id: checked.id, fields: fieldsByPath(changed) as ElementFields };
  }
  if (checked.type === 'element.add')
    return { ...checked, elements: checked.elements.map((element) => withoutFile(readElement(element, html))) };
  return checked;
}
