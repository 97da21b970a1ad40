import { DAY } from '../../engine/document/constants.ts';
import { playScene } from '../../engine/scene/play.ts';
import type { TickInput } from '../../engine/scene/scene.ts';
import { formatHours } from '../../engine/scene/timed/time-format.ts';
import type { TraceRow } from '../../engine/scene/trace.ts';
import { usageError } from '../failure.ts';
import { readPath, startPose } from './poses.ts';
import { asRoom, documentOf } from './room-argument.ts';

/** Most ticks of one simulation. */
const MOST_TICKS = 1_000_000;

/** How a room is played: `from`, `to` and `start` in seconds of a local day, `step` in seconds, `utcOffset` in minutes. */
export interface PlayOptions {
  from: number;
  to: number;
  start?: number;
  step: number;
  utcOffset: number;
  path?: string;
}

const clockText = (second: number): string => formatHours(Math.floor(((second % DAY) + DAY) % DAY));

/** Plays a room without a browser. Gives what happens, with the time of day at which it does. */
export async function playRoom(name: string, options: PlayOptions): Promise<(TraceRow & { clock: string })[]> {
  const { from, start = from, step, utcOffset } = options;
  const till = options.to < from ? options.to + DAY : options.to;
  if ((till - from) / step > MOST_TICKS)
    throw usageError('These are more steps than one simulation takes.', 'Use a longer --step or a shorter time.');
  const room = asRoom(await documentOf(name), name);
  const pose = startPose(room);
  const path = options.path === undefined ? () => pose : await readPath(options.path, pose);
  // A timed room counts from its start, any other the seconds of the UTC day.
  const isTimed = room.config.duration !== null;
  const utc = (second: number) => second + utcOffset * 60;
  const zero = isTimed ? start : -utcOffset * 60;
  const count = Math.floor((till - from) / step + 1e-9);
  function* ticks(): Generator<TickInput> {
    for (let index = 0; index <= count; index++) {
      const second = from + index * step;
      const input = index === 0 ? [{ type: 'entered' } as const] : undefined;
      yield { time: second - zero, camera: path(second), input };
    }
  }
  const dayStart = isTimed ? ((utc(start) % DAY) + DAY) % DAY : 0;
  return [...playScene(room, ticks(), { dayStart })].flatMap(({ step: { time }, rows }) =>
    rows.map((row) => ({ clock: clockText(time + zero), ...row })),
  );
}
