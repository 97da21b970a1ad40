import { type DayClock, isTimeZone, localDay } from '../../engine/document/time-zone.ts';
import { type DayRow, isTooLong, playDay } from '../../engine/scene/play-day.ts';
import { startPose } from '../../engine/scene/start-pose.ts';
import { systemClock } from '../clock.ts';
import { usageError } from '../failure.ts';
import { readPath } from './poses.ts';
import { asRoom, documentOf } from './room-argument.ts';

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

/** Simulates a room without a browser. Returns its events with their time of day. */
export async function playRoom(name: string, options: PlayOptions): Promise<DayRow[]> {
  const { utcOffset, timeZone, path, date, ...times } = options;
  if (timeZone !== undefined && !isTimeZone(timeZone))
    throw usageError(`“${timeZone}” is not a time zone.`, 'Use a name such as Europe/Amsterdam.');
  const clock: DayClock = { time_zone: timeZone, utc_offset: utcOffset };
  const visit = { ...times, clock, day: date ?? localDay(systemClock.now() / 1000, clock) };
  if (isTooLong(visit))
    throw usageError('These are more steps than one simulation takes.', 'Use a longer --step or a shorter time.');
  const room = asRoom(await documentOf(name), name);
  const pose = startPose(room);
  return [...playDay(room, visit, path === undefined ? () => pose : await readPath(path, pose))].flat();
}
