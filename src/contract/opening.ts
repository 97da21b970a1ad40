import { DAY } from '../../engine/document/constants.ts';
import type { PublicEndpoint } from './entities.ts';

type Start = Pick<PublicEndpoint, 'is_timed' | 'start_time' | 'start_time_utc_offset' | 'current_time'>;

/**
 * When the sequence of a structure starts: on the server's current day, or the day before while that one still runs.
 * @param duration of the sequence in seconds; null where it has none
 * @returns seconds since 1970; null where the structure has no start
 */
export function startOf(
  { is_timed, start_time, start_time_utc_offset, current_time }: Start,
  duration: number | null,
): number | null {
  if (!is_timed || !start_time) return null;
  const [hours = 0, minutes = 0] = start_time.split(':').map(Number);
  const offset = (start_time_utc_offset ?? 0) * 60;
  const localDay = Math.floor((current_time - offset) / DAY) * DAY;
  const today = localDay + offset + hours * 3600 + minutes * 60;
  const yesterday = today - DAY;
  return today > current_time && current_time < yesterday + (duration ?? 0) ? yesterday : today;
}
