import { DAY } from '../../../engine/document/constants.ts';
import { startOf } from '../../contract/opening.ts';
import type { Arrival } from './visit-data.ts';

/** Room time of a visit, from the server's clock only. */
export interface RoomClock {
  /** Room time in seconds. */
  now(): number;
  /** Sets room time to a moment in seconds, from which it runs on. */
  moveTo(seconds: number): void;
  /** The visitor enters: time that waited for it runs from now on. */
  enter(): void;
  /** UTC second of the day at room time 0; until the visitor enters, it may still move on. */
  readonly dayStart: number;
}

/**
 * The clock of a visit. A timed room counts from its start; where no start is set, it stands at 0 until the visitor
 * enters. Any other room counts seconds of the UTC day.
 * @param arrival the structure, and when the server's clock was read for it
 * @param monotonic milliseconds that only grow, such as `performance.now`
 */
export function createRoomClock({ endpoint, at }: Arrival, monotonic: () => number): RoomClock {
  const { current_time, room } = endpoint;
  const duration = room?.config.duration ?? null;
  const server = () => current_time + (monotonic() - at) / 1000;
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
    enter() {
      if (waitsAt === null) return;
      zero = server();
      ahead = waitsAt;
      waitsAt = null;
    },
    get dayStart() {
      return ((zero % DAY) + DAY) % DAY;
    },
  };
}
