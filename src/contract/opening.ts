import { type DayClock, dayInstant, localDay, nextInstant, utcOffsetAt } from '../../engine/document/time-zone.ts';
import { secondOf } from '../../engine/document/window.ts';

/** When a structure starts, each day. */
export interface StartTime {
  is_timed: boolean;
  /** HH:mm; null without a start. */
  start_time: string | null;
  start_time_utc_offset: number | null;
  time_zone: string | null;
}

/** The clock that a structure's start time refers to. */
const clockOf = ({ time_zone, start_time_utc_offset }: Omit<StartTime, 'is_timed'>): DayClock => ({
  time_zone,
  utc_offset: start_time_utc_offset,
});

/**
 * When the sequence of a structure starts: on the current local day, or the day before while that one still runs.
 * @param current_time seconds since 1970
 * @param duration of the sequence in seconds; null where it has none
 * @returns seconds since 1970; null where the structure has no start
 */
export function startOf(
  { is_timed, current_time, ...start }: StartTime & { current_time: number },
  duration: number | null,
): number | null {
  if (!is_timed || !start.start_time) return null;
  const clock = clockOf(start);
  const second = secondOf(start.start_time);
  const day = localDay(current_time, clock);
  const today = dayInstant(day, second, clock);
  const yesterday = dayInstant(day - 1, second, clock);
  return today > current_time && current_time < yesterday + (duration ?? 0) ? yesterday : today;
}

/**
 * Minutes of UTC minus local time at the next start: what a time zone gives then, or the fixed offset.
 * @param now seconds since 1970
 */
export function startOffset(start: Omit<StartTime, 'is_timed'>, now: number): number | null {
  const { start_time, time_zone, start_time_utc_offset } = start;
  if (!start_time || time_zone === null) return start_time_utc_offset;
  return utcOffsetAt(time_zone, nextInstant(secondOf(start_time), clockOf(start), now));
}
