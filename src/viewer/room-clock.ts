import type { PublicEndpoint } from '../contract/entities.ts';

/** Room time of a visit, from the server's clock only. */
export interface RoomClock {
  /** Room time in seconds. */
  now(): number;
  /** Sets room time to a moment in seconds, from which it runs on. */
  moveTo(seconds: number): void;
  /** UTC second of the day at room time 0. */
  dayStart: number;
}

const DAY = 86_400;

/** Seconds since 1970 at which the structure's start time falls on the server's current day. */
function startOf(endpoint: PublicEndpoint): number | null {
  const { is_timed, start_time, start_time_utc_offset, current_time } = endpoint;
  if (!is_timed || !start_time) return null;
  const [hours = 0, minutes = 0] = start_time.split(':').map(Number);
  const offset = (start_time_utc_offset ?? 0) * 60;
  const localDay = Math.floor((current_time - offset) / DAY) * DAY;
  return localDay + offset + hours * 3600 + minutes * 60;
}

/** Second at which visitors no longer wait in front of a countdown; null where they don't. */
export const opensAt = (endpoint: PublicEndpoint): number | null =>
  endpoint.show_countdown ? startOf({ ...endpoint, is_timed: true }) : null;

/**
 * The clock of a visit. A timed room counts from its start, or from entering where no start is set; any other room
 * counts seconds of the UTC day.
 * @param monotonic milliseconds that only grow, such as `performance.now`
 */
export function createRoomClock(endpoint: PublicEndpoint, monotonic: () => number): RoomClock {
  const origin = monotonic();
  const server = () => endpoint.current_time + (monotonic() - origin) / 1000;
  const { current_time } = endpoint;
  const isTimed = endpoint.room?.config.duration != null;
  const zero = isTimed ? (startOf(endpoint) ?? current_time) : Math.floor(current_time / DAY) * DAY;
  let ahead = 0;
  const now = () => server() - zero + ahead;
  const moveTo = (seconds: number) => {
    ahead += seconds - now();
  };
  return { now, moveTo, dayStart: ((zero % DAY) + DAY) % DAY };
}
