import { DAY } from '../../engine/document/constants.ts';
import type { PublicEndpoint } from '../contract/entities.ts';
import { startOf } from '../contract/opening.ts';

/** Room time of a visit, from the server's clock only. */
export interface RoomClock {
  /** Room time in seconds. */
  now(): number;
  /** Sets room time to a moment in seconds, from which it runs on. */
  moveTo(seconds: number): void;
  /** UTC second of the day at room time 0. */
  dayStart: number;
}

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
