import { DAY } from '../../../engine/document/constants.ts';
import type { Element } from '../../../engine/document/element.ts';
import type { Room } from '../../../engine/document/room.ts';
import { spansOf } from '../../../engine/document/window.ts';

/** Something that happens on the timeline. */
export interface TimelineMark {
  kind: 'window' | 'timed' | 'popup';
  /** Id of the element; null for the room's own pop-up. */
  elementId: number | null;
  name: string;
  /** Seconds of room time; a moment where both are the same. */
  from: number;
  till: number;
}

/** Seconds of the timeline of a room: its sequence, or a day. */
export const lengthOf = ({ config }: Room): number => config.duration ?? DAY;

/** Spans of room time in which a window is open; across midnight there are two a day. */
function roomSpans(element: Element, epoch: number, length: number): [number, number][] {
  if (!element.visible_between) return [];
  return spansOf(element.visible_between, element, epoch, epoch + length).map(([start, end]) => [
    Math.max(0, start - epoch),
    Math.min(length, end - epoch),
  ]);
}

const markNameOf = ({ name, element }: Element) => name || element.replaceAll('_', ' ');

/**
 * Every window, timed element and pop-up of a room.
 * @param epoch seconds since 1970 at room time 0
 */
export function marksOf(room: Room, epoch: number): TimelineMark[] {
  const length = lengthOf(room);
  const marks: TimelineMark[] = [];
  for (const element of room.elements) {
    if (element.hidden) continue;
    const name = markNameOf(element);
    const spans = roomSpans(element, epoch, length);
    for (const [from, till] of spans) marks.push({ kind: 'window', elementId: element.id, name, from, till });
    if (!element.config.timed) continue;
    const from = spans[0]?.[0] ?? 0;
    const till = Math.min(from + (element.file?.duration ?? length), length);
    marks.push({ kind: 'timed', elementId: element.id, name, from, till });
  }
  const { duration, show_timed_popup, timed_popup_offset: at } = room.config;
  if (duration !== null && show_timed_popup && at <= length)
    marks.push({ kind: 'popup', elementId: null, name: 'Pop-up', from: at, till: at });
  return marks;
}

/** Parts of a timeline that a bar takes at least, so that there is room for its name. */
const NAME_ROOM = 1 / 9;

/** A row of the timeline: bars that do not lie over each other. */
export type TimelineRow = readonly (TimelineMark & { room: number })[];

/**
 * Puts marks into as few rows as the time between them allows, the earliest first; a row has one kind.
 * `room` of a mark is the time in seconds in which its name may stand.
 */
export function rowsOf(marks: readonly TimelineMark[], length: number): TimelineRow[] {
  const kinds: TimelineMark['kind'][] = ['window', 'timed', 'popup'];
  return kinds.flatMap((kind) => {
    const rows: (TimelineMark & { room: number })[][] = [];
    const sorted = marks.filter((mark) => mark.kind === kind).sort((a, b) => a.from - b.from || a.till - b.till);
    for (const mark of sorted) {
      const room = Math.max(mark.till - mark.from, Math.min(length * NAME_ROOM, length - mark.from));
      const row = rows.find((taken) => taken.at(-1)!.from + taken.at(-1)!.room <= mark.from);
      if (row) row.push({ ...mark, room });
      else rows.push([{ ...mark, room }]);
    }
    return rows;
  });
}
