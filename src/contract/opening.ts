import { DAY } from '../../engine/document/constants.ts';
import type { PublicEndpoint } from './entities.ts';

type Timing = Pick<
  PublicEndpoint,
  'is_timed' | 'start_time' | 'start_time_utc_offset' | 'show_countdown' | 'current_time'
>;

/** Seconds since 1970 at which a structure's sequence starts on the server's current day; null where it has no start. */
export function startOf({ is_timed, start_time, start_time_utc_offset, current_time }: Timing): number | null {
  if (!is_timed || !start_time) return null;
  const [hours = 0, minutes = 0] = start_time.split(':').map(Number);
  const offset = (start_time_utc_offset ?? 0) * 60;
  const localDay = Math.floor((current_time - offset) / DAY) * DAY;
  return localDay + offset + hours * 3600 + minutes * 60;
}

/** Second at which visitors no longer wait in front of a countdown; null where they don't. */
export const opensAt = (endpoint: Timing): number | null =>
  endpoint.show_countdown ? startOf({ ...endpoint, is_timed: true }) : null;
