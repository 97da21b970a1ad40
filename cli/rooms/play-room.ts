import { DAY } from '../../engine/document/constants.ts';
import { type DayClock, dayInstant, isTimeZone, localDay, wallOf } from '../../engine/document/time-zone.ts';
import { playScene } from '../../engine/scene/play.ts';
import type { TickInput } from '../../engine/scene/scene.ts';
import { formatHours } from '../../engine/scene/timed/time-format.ts';
import type { TraceRow } from '../../engine/scene/trace.ts';
import { systemClock } from '../clock.ts';
import { usageError } from '../failure.ts';
import { readPath, startPose } from './poses.ts';
import { asRoom, documentOf } from './room-argument.ts';

/** Maximum ticks of a simulation. */
const MAX_TICKS = 1_000_000;

/**
 * Simulation options: `from`, `to` and `start` in seconds of a local day, `step` in seconds, `utcOffset` in minutes,
 * `date` in local days since 1970.
 */
export interface PlayOptions {
  from: number;
  to: number;
  start?: number;
  step: number;
  utcOffset: number;
  /** IANA time zone of these times; replaces the offset. */
  timeZone?: string;
  date?: number;
  path?: string;
}

const clockText = (second: number): string => formatHours(Math.floor(((second % DAY) + DAY) % DAY));

/** Simulates a room without a browser. Returns its events with their time of day. */
export async function playRoom(name: string, options: PlayOptions): Promise<(TraceRow & { clock: string })[]> {
  const { from, start = from, step, utcOffset, timeZone } = options;
  if (timeZone !== undefined && !isTimeZone(timeZone))
    throw usageError(`“${timeZone}” is not a time zone.`, 'Use a name such as Europe/Amsterdam.');
  const clock: DayClock = { time_zone: timeZone, utc_offset: utcOffset };
  const day = options.date ?? localDay(systemClock.now() / 1000, clock);
  const entered = dayInstant(day, from, clock);
  const till = dayInstant(day, options.to < from ? options.to + DAY : options.to, clock);
  if ((till - entered) / step > MAX_TICKS)
    throw usageError('These are more steps than one simulation takes.', 'Use a longer --step or a shorter time.');
  const room = asRoom(await documentOf(name), name);
  const pose = startPose(room);
  const path = options.path === undefined ? () => pose : await readPath(options.path, pose);
  // A timed room starts at its start time; other rooms run on UTC seconds of the day.
  const epoch = room.config.duration === null ? Math.floor(entered / DAY) * DAY : dayInstant(day, start, clock);
  const count = Math.floor((till - entered) / step + 1e-9);
  function* ticks(): Generator<TickInput> {
    for (let index = 0; index <= count; index++) {
      const passed = index * step;
      const input = index === 0 ? [{ type: 'entered' } as const] : undefined;
      yield { time: entered + passed - epoch, camera: path(from + passed), input };
    }
  }
  return [...playScene(room, ticks(), { epoch })].flatMap(({ step: { time }, rows }) =>
    rows.map((row) => ({ clock: clockText(wallOf(epoch + time, clock)), ...row })),
  );
}
