import { type DayClock, dayInstant, localDay, nextInstant, utcOffsetAt } from '../../engine/document/time-zone.ts';
import { secondOf } from '../../engine/document/window.ts';

/** Daily start time of a structure. */
export interface StartTime {
  is_timed: boolean;
  /** HH:mm; null without a start. */
  start_time: string | null;
  start_time_utc_offset: number | null;
  time_zone: string | null;
}

/** The clock for a structure's start time. */
const clockOf = ({ time_zone, start_time_utc_offset }: Omit<StartTime, 'is_timed'>): DayClock => ({
  time_zone,
  utc_offset: start_time_utc_offset,
});

/**
 * When a structure's sequence starts: on the current local day, or on the previous one if that sequence is still running.
 * @param current_time seconds since 1970
 * @param duration of the sequence in seconds; null if unlimited
 * @returns seconds since 1970; null without a start time
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
 * UTC offset at the next start, in minutes of UTC minus local time: from the time zone, or the fixed offset.
 * @param now seconds since 1970
 */
export function startOffset(start: Omit<StartTime, 'is_timed'>, now: number): number | null {
  const { start_time, time_zone, start_time_utc_offset } = start;
  if (!start_time || time_zone === null) return start_time_utc_offset;
  return utcOffsetAt(time_zone, nextInstant(secondOf(start_time), clockOf(start), now));
}
