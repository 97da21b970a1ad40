import { DAY } from '../../../engine/document/constants.ts';
import type { Element } from '../../../engine/document/element.ts';
import type { Room } from '../../../engine/document/room.ts';
import { spansOf } from '../../../engine/document/window.ts';
import { formatHours, formatTime } from '../../../engine/scene/timed/time-format.ts';

/** Seconds between small and large marks, by the shortest timeline that has them when all of it shows. */
const WHOLE = [
  { length: DAY / 4, small: 900, large: 3600 },
  { length: 3600, small: 300, large: 900 },
  { length: 600, small: 60, large: 300 },
  { length: 0, small: 10, large: 60 },
] as const;
/** Small marks that a timeline has at most when all of it shows. */
const MAX_MARKS = 200;

/** Seconds between small and large marks where a part of a timeline shows, the finest first. */
const PARTS = [
  { small: 0.5, large: 1 },
  { small: 1, large: 5 },
  { small: 2, large: 10 },
  { small: 5, large: 30 },
  { small: 10, large: 60 },
  { small: 60, large: 300 },
  { small: 300, large: 900 },
] as const;
/** Pixels between small marks, and between times, at least. */
const MIN_GAP = { mark: 7, time: 68 } as const;
/** Large marks from time to time, of which the first is taken that leaves room. */
const TIME_EVERY = [1, 2, 3, 4, 6, 12, 24, 48, 96, 192, 384, 768] as const;
/** Pixels that a second has at most. */
const MAX_SECOND = 80;
/** Pixels that a timeline has at most: browsers lose count of more. */
const MAX_WIDTH = 8_000_000;

/** A mark of the time itself. */
export interface Tick {
  at: number;
  isLarge: boolean;
  /** The time that stands beside it; empty where there is no room for one. */
  text: string;
}

interface Step {
  small: number;
  large: number;
}

/** What all of a timeline has: a day a mark every quarter of an hour, and a large one every hour. */
function wholeStep(length: number): Step {
  const { small, large } = WHOLE.find((step) => length >= step.length)!;
  const factor = Math.max(1, Math.ceil(length / small / MAX_MARKS));
  return { small: small * factor, large: large * factor };
}

/** How often a timeline can be enlarged. @param width pixels in which all of it shows */
export const maxZoom = (length: number, width: number): number =>
  Math.max(1, Math.min((length * MAX_SECOND) / width, MAX_WIDTH / width));

/** A moment on a timeline that goes on for so long: a part of a second more is no second yet. */
export const momentText = (seconds: number): string =>
  seconds < 0 ? `−${formatHours(Math.ceil(-seconds))}` : formatHours(Math.floor(seconds));

/** The same where there is little room: no hours where none pass, no seconds between whole minutes of hours. */
function shortText(seconds: number, length: number, step: number): string {
  if (length < 3600) return formatTime(seconds);
  const text = formatHours(seconds);
  return step % 60 === 0 ? text.slice(0, -3) : text;
}

/**
 * Marks of the time between two moments, with times as close as there is room for.
 * @param pixels of a second
 * @param isWhole whether all of the timeline shows
 */
export function ticksOf(length: number, from: number, till: number, pixels: number, isWhole: boolean): Tick[] {
  const whole = wholeStep(length);
  const part = PARTS.find(({ small }) => small * pixels >= MIN_GAP.mark);
  const { small, large } = !isWhole && part && part.small < whole.small ? part : whole;
  const every = TIME_EVERY.find((count) => count * large * pixels >= MIN_GAP.time) ?? TIME_EVERY.at(-1)!;
  const perLarge = Math.round(large / small);
  const [first, last] = [Math.max(0, Math.floor(from / small)), Math.floor(Math.min(length, till) / small + 1e-9)];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => {
    const count = first + index;
    const at = count * small;
    const isLarge = count % perLarge === 0;
    const isTold = isLarge && (count / perLarge) % every === 0;
    return { at, isLarge, text: isTold ? shortText(at, length, every * large) : '' };
  });
}

/**
 * A typed moment in seconds: `1:02:03`, `2:03` and `123`. Two numbers are hours and minutes where the timeline has
 * hours, otherwise minutes and seconds.
 * @returns null where it is none
 */
export function parseMoment(text: string, length: number, isBefore = false): number | null {
  const before = /^\s*[-−](.*)$/.exec(text);
  if (before) {
    const left = isBefore ? parseMoment(before[1]!, length) : null;
    return left === null ? null : -left;
  }
  if (!/^\s*\d{1,6}(?::\d{1,2}){0,2}\s*$/.test(text)) return null;
  const parts = text.trim().split(':').map(Number);
  if (parts.slice(1).some((part) => part >= 60)) return null;
  const isHours = parts.length === 3 || (parts.length === 2 && length > 3600);
  const [first = 0, second = 0, third = 0] = parts;
  if (parts.length === 1) return first;
  return isHours ? first * 3600 + second * 60 + third : first * 60 + second;
}

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
