import { DAY } from '../document/constants.ts';
import type { Room } from '../document/room.ts';
import { type DayClock, dayInstant, wallOf } from '../document/time-zone.ts';
import { playScene } from './play.ts';
import type { CameraPose, TickInput } from './scene.ts';
import { formatHours } from './timed/time-format.ts';
import type { TraceRow } from './trace.ts';

/** Maximum ticks of a visit. */
export const MAX_TICKS = 1_000_000;

/** A visit at a time of day; `from`, `to` and `start` are seconds of a local day. */
export interface DayVisit {
  from: number;
  /** Before `from`, it is on the next day. */
  to: number;
  /** Time at which the sequence of a timed room starts; when the visitor enters if omitted. */
  start?: number | undefined;
  /** Seconds between two ticks. */
  step: number;
  /** Time zone or offset of these times. */
  clock: DayClock;
  /** Local days since 1970. */
  day: number;
}

/** An event, with its local time of day. */
export type DayRow = TraceRow & { clock: string };

const clockText = (second: number): string => formatHours(Math.floor(((second % DAY) + DAY) % DAY));

/** First instant and number of steps of a visit. */
function extentOf({ from, to, step, clock, day }: DayVisit): { entered: number; steps: number } {
  const entered = dayInstant(day, from, clock);
  const till = dayInstant(day, to < from ? to + DAY : to, clock);
  return { entered, steps: (till - entered) / step };
}

/** Whether a visit has more ticks than one simulation takes. */
export const isTooLong = (visit: DayVisit): boolean => extentOf(visit).steps > MAX_TICKS;

/**
 * Plays a visit of a room without a browser, tick by tick.
 * @param poseAt where the visitor stands, by second of the day
 */
export function* playDay(
  room: Room,
  visit: DayVisit,
  poseAt: (second: number) => CameraPose,
): Generator<DayRow[], void> {
  const { from, start = from, step, clock, day } = visit;
  const { entered, steps } = extentOf(visit);
  // A timed room starts at its start time; other rooms run on UTC seconds of the day.
  const epoch = room.config.duration === null ? Math.floor(entered / DAY) * DAY : dayInstant(day, start, clock);
  const count = Math.floor(steps + 1e-9);
  function* ticks(): Generator<TickInput> {
    for (let index = 0; index <= count; index++) {
      const passed = index * step;
      const input = index === 0 ? [{ type: 'entered' } as const] : undefined;
      yield { time: entered + passed - epoch, camera: poseAt(from + passed), input };
    }
  }
  for (const { step: tick, rows } of playScene(room, ticks(), { epoch }))
    yield rows.map((row) => ({ clock: clockText(wallOf(epoch + tick.time, clock)), ...row }));
}
