import { DAY } from '../../engine/document/constants.ts';
import { type DayClock, dayInstant, localDay, nextInstant, utcOffsetAt } from '../../engine/document/time-zone.ts';
import { secondOf } from '../../engine/document/window.ts';

/** Start of a structure: daily, or on a date. */
export interface StartTime {
  is_timed: boolean;
  /** YYYY-MM-DD; null for every day. */
  start_date: string | null;
  /** HH:mm; null without a start. */
  start_time: string | null;
  start_time_utc_offset: number | null;
  time_zone: string | null;
}

/** The clock for a structure's start time. */
const clockOf = ({
  time_zone,
  start_time_utc_offset,
}: Pick<StartTime, 'time_zone' | 'start_time_utc_offset'>): DayClock => ({
  time_zone,
  utc_offset: start_time_utc_offset,
});

/** The start on a date, in seconds since 1970. */
const startOn = (date: string, time: string, clock: DayClock): number =>
  dayInstant(Date.parse(`${date}T00:00Z`) / 1000 / DAY, secondOf(time), clock);

/**
 * When a structure's sequence starts: on its date. Without one, on the current local day, or on the previous one if that
 * sequence is still running.
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
  if (start.start_date) return startOn(start.start_date, start.start_time, clock);
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
  const { start_date, start_time, time_zone, start_time_utc_offset } = start;
  if (!start_time || time_zone === null) return start_time_utc_offset;
  const clock = clockOf(start);
  const at = start_date ? startOn(start_date, start_time, clock) : nextInstant(secondOf(start_time), clock, now);
  return utcOffsetAt(time_zone, at);
}
