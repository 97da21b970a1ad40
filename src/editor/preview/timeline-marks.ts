import { DAY } from '../../../engine/document/constants.ts';
import type { Element } from '../../../engine/document/element.ts';
import type { Room } from '../../../engine/document/room.ts';
import { walk } from '../../../engine/document/tree.ts';

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

/** Spans of room time in which a window is open, the room's day beginning at 0; across midnight there are two a day. */
function spansOf(element: Element, offset: number, length: number): [number, number][] {
  const between = element.visible_between;
  if (!between || between.from === between.till) return [];
  const shift = (element.utc_offset ?? 0) * 60 - offset;
  const inDay = (second: number) => (((second + shift) % DAY) + DAY) % DAY;
  const [from, till] = [inDay(between.from), inDay(between.till)];
  const spans: [number, number][] = [];
  for (let day = from < till ? 0 : -DAY; day < length; day += DAY) {
    const [start, end] = [Math.max(0, day + from), Math.min(length, day + till + (from < till ? 0 : DAY))];
    if (start < end) spans.push([start, end]);
  }
  return spans;
}

const markNameOf = ({ name, element }: Element) => name || element.replaceAll('_', ' ');

/**
 * Every window, timed element and pop-up of a room.
 * @param offset UTC second of the day at room time 0
 */
export function marksOf(room: Room, offset: number): TimelineMark[] {
  const length = lengthOf(room);
  const marks: TimelineMark[] = [];
  for (const element of walk(room.elements)) {
    if (element.hidden) continue;
    const name = markNameOf(element);
    const spans = spansOf(element, offset, length);
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
