import { DAY } from '../../../engine/document/constants.ts';
import { startOf } from '../../contract/opening.ts';
import type { Arrival } from './visit-data.ts';

/** Room time of a visit, based on the server's clock only. */
export interface RoomClock {
  /** Room time in seconds. */
  now(): number;
  /** Sets room time in seconds, from which it continues. */
  moveTo(seconds: number): void;
  /** Resyncs with the server's clock after the page's clock stopped. */
  resync(arrival: Arrival): void;
  /** The visitor enters: starts a waiting clock. */
  enter(): void;
  /** Unix time in seconds at room time 0; may change until the visitor enters. */
  readonly epoch: number;
}

/**
 * The clock of a visit. A timed room counts from its start time; without one, it waits at 0 until the visitor enters. Other
 * rooms use seconds of the UTC day.
 * @param arrival the structure, and when the server's clock was read
 * @param monotonic monotonic milliseconds, such as `performance.now`
 */
export function createRoomClock({ endpoint, at }: Arrival, monotonic: () => number): RoomClock {
  const { current_time, room } = endpoint;
  const duration = room?.config.duration ?? null;
  let reading = { current_time, at };
  const server = () => reading.current_time + (monotonic() - reading.at) / 1000;
  const start = duration === null ? Math.floor(current_time / DAY) * DAY : startOf(endpoint, duration);
  let zero = start ?? current_time;
  let ahead = 0;
  let waitsAt = start === null ? 0 : null;
  return {
    now: () => waitsAt ?? server() - zero + ahead,
    moveTo(seconds) {
      if (waitsAt === null) ahead = seconds - (server() - zero);
      else waitsAt = seconds;
    },
    resync(arrival) {
      reading = { current_time: arrival.endpoint.current_time, at: arrival.at };
    },
    enter() {
      if (waitsAt === null) return;
      zero = server();
      ahead = waitsAt;
      waitsAt = null;
    },
    get epoch() {
      return zero;
    },
  };
}
