import { DAY } from './constants.ts';
import type { Element } from './element.ts';
import type { VisibleBetween } from './element-base.ts';
import { type DayClock, dayInstant, isTimeZone, localDay, nextInstant, utcOffsetAt } from './time-zone.ts';

/** Second of the day of a time such as `19:55`. */
export const secondOf = (time: string): number => Number(time.slice(0, 2)) * 3600 + Number(time.slice(3)) * 60;

/**
 * The window defined by an element's times of day.
 * @returns seconds of the local day, with open ends at the start or end of the day; the element's own window if it has no
 * times
 */
export function windowOf(element: Pick<Element, 'start_time' | 'end_time' | 'visible_between'>): VisibleBetween | null {
  if (element.start_time === null && element.end_time === null) return element.visible_between;
  return {
    from: element.start_time === null ? 0 : secondOf(element.start_time),
    till: element.end_time === null ? DAY : secondOf(element.end_time),
  };
}

/** Whether a window opens and closes: an empty window never opens, one that spans the day never closes. */
const hasEdges = ({ from, till }: VisibleBetween) => from !== till && Math.abs(till - from) !== DAY;

/**
 * The intervals in which a window is open: start inclusive, end exclusive, across midnight if `till` is before `from`.
 * @param from start of the range in seconds since 1970; intervals that end before it are skipped
 * @param till end of the range, exclusive
 * @returns start and end in seconds since 1970, in order
 */
export function spansOf(window: VisibleBetween, clock: DayClock, from: number, till: number): [number, number][] {
  if (window.from === window.till) return [];
  if (!hasEdges(window)) return window.from < window.till ? [[from, till]] : [];
  const spans: [number, number][] = [];
  const overnight = window.till < window.from ? DAY : 0;
  const first = localDay(from, clock) - 1;
  const days = localDay(till, clock) - first;
  for (let index = 0; index <= days; index++) {
    const day = first + index;
    const start = dayInstant(day, window.from, clock);
    const end = dayInstant(day, window.till + overnight, clock);
    if (start < end && end > from && start < till) spans.push([start, end]);
  }
  return spans;
}

/** Whether an element is open at an instant; always true without a window. @param instant seconds since 1970 */
export function isOpenAt(
  { visible_between: window, time_zone, utc_offset }: Pick<Element, 'visible_between'> & DayClock,
  instant: number,
): boolean {
  if (!window) return true;
  return spansOf(window, { time_zone, utc_offset }, instant, instant + 1).some(
    ([start, end]) => instant >= start && instant < end,
  );
}

type Times = Pick<Element, 'visible_between' | 'time_zone' | 'utc_offset'>;

/** The next start of an element's window, in seconds since 1970; null without a window. */
const nextStart = ({ visible_between: window, ...clock }: Times, now: number): number | null =>
  window && nextInstant(window.from, clock, now);

/**
 * The UTC offset of an element's times, in minutes of UTC minus local time: in a time zone, the offset at the window's next
 * start.
 * @param now seconds since 1970
 */
export function offsetOf(element: Times, now: number): number | null {
  const zone = element.time_zone;
  const start = zone === null || !isTimeZone(zone) ? null : nextStart(element, now);
  return start === null ? element.utc_offset : utcOffsetAt(zone!, start);
}

/** Sets the offset that an element's time zone has at the window's next start. @param now seconds since 1970 */
export const withOffset = <T extends Times>(element: T, now: number): T =>
  element.time_zone == null ? element : { ...element, utc_offset: offsetOf(element, now) };

/**
 * Sets the offsets of a room's elements.
 * @param now seconds since 1970
 * @returns the room, and the instant until which its offsets are valid
 */
export function roomWithOffsets<R extends { elements: Element[] }>(room: R, now: number): { room: R; until: number } {
  let until = Number.POSITIVE_INFINITY;
  const elements = room.elements.map((element) => {
    if (element.time_zone == null) return element;
    until = Math.min(until, nextStart(element, now) ?? until);
    return withOffset(element, now);
  });
  return until === Number.POSITIVE_INFINITY ? { room, until } : { room: { ...room, elements }, until };
}
