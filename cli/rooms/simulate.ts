import { InvalidArgumentError } from 'commander';
import { DAY } from '../../engine/document/constants.ts';
import { playScene } from '../../engine/scene/play.ts';
import type { TickInput } from '../../engine/scene/scene.ts';
import type { TraceRow } from '../../engine/scene/trace.ts';
import { type AddCommand, examples } from '../command.ts';
import { usageError } from '../failure.ts';
import { jsonText, writeOutput } from '../io/write-output.ts';
import { tableText } from '../report/table.ts';
import { readPath, secondsOf, startPose } from './poses.ts';
import { asRoom, documentOf } from './room-argument.ts';

/** Most ticks of one simulation. */
const MOST_TICKS = 1_000_000;

interface Options {
  from: number;
  to: number;
  start?: number;
  step: number;
  utcOffset: number;
  path?: string;
  json: boolean;
  out?: string;
}

function timeOf(text: string): number {
  const seconds = secondsOf(text);
  if (seconds === undefined) throw new InvalidArgumentError('Use a 24-hour time such as 19:55 or 19:55:30.');
  return seconds;
}

const numberBetween =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() !== '' && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Use a number from ${least} to ${most}.`);
  };

function clockText(second: number): string {
  const whole = Math.floor(((second % DAY) + DAY) % DAY);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(whole / 3600))}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

async function simulate(name: string, options: Options): Promise<(TraceRow & { clock: string })[]> {
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

export const simulateRoom: AddCommand = (rooms) => {
  rooms
    .command('simulate')
    .description('play a room without a browser and print what happens: what starts, stops, appears, is near')
    .argument('<room>', 'a file, - for standard input, or a room on the server')
    .requiredOption('--from <time>', 'local time of day at which a visitor enters, such as 19:55', timeOf)
    .requiredOption('--to <time>', 'local time of day until which they stay', timeOf)
    .option(
      '--start <time>',
      'time at which the sequence of a timed room starts; when the visitor enters otherwise',
      timeOf,
    )
    .option('--step <seconds>', 'seconds between two ticks', numberBetween(0.05, 3600), 1)
    .option(
      '--utc-offset <minutes>',
      'UTC minus local time in minutes, such as -120 for summer in Berlin',
      numberBetween(-840, 840),
      0,
    )
    .option('--path <file>', 'CSV of where the visitor goes: time, x, y, z, and yaw and pitch in degrees')
    .option('--json', 'print JSON', false)
    .option('--out <file>', 'write to a file instead of standard output')
    .addHelpText(
      'after',
      examples(
        'enfilade rooms simulate room.json --from 19:55 --to 20:30',
        'enfilade rooms simulate gallery --from 20:00 --to 20:10 --path poses.csv --json',
        'enfilade rooms simulate opera.json --from 19:55 --to 20:30 --start 20:00 --utc-offset -120',
      ),
    )
    .action(async (room: string, options: Options) => {
      const rows = await simulate(room, options);
      const table = rows as unknown as Record<string, unknown>[];
      const shown =
        rows.length > 0
          ? tableText(['clock', 'time', 'event', 'element', 'detail'], table)
          : 'Nothing happens in that time.\n';
      await writeOutput(options.out, options.json ? jsonText(rows) : shown);
    });
};
