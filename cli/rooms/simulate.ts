import { InvalidArgumentError } from 'commander';
import { type FormatOptions, formatOf, formatOptions, isReported } from '../ci/problem-report.ts';
import { type AddCommand, examples } from '../command.ts';
import { type Problem, usageError, wrongError } from '../failure.ts';
import { jsonText, writeOutput } from '../io/write-output.ts';
import type { PlayOptions } from './play-room.ts';
import { secondsOf } from './seconds-of.ts';

interface Options extends PlayOptions, FormatOptions {
  expect?: string;
  out?: string;
}

function timeOf(text: string): number {
  const seconds = secondsOf(text);
  if (seconds === undefined) throw new InvalidArgumentError('Use a 24-hour time such as 19:55 or 19:55:30.');
  return seconds;
}

function dateOf(text: string): number {
  const milliseconds = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00Z`) : Number.NaN;
  if (Number.isNaN(milliseconds)) throw new InvalidArgumentError('Use a date such as 2026-10-25.');
  return milliseconds / 86_400_000;
}

const numberBetween =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() !== '' && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Use a number from ${least} to ${most}.`);
  };

export const simulateRoom: AddCommand = (rooms) => {
  const command = rooms
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
    .option('--time-zone <zone>', 'time zone of these times, such as Europe/Amsterdam, in place of --utc-offset')
    .option('--date <date>', 'date on which the visitor enters, such as 2026-10-25; today otherwise', dateOf)
    .option('--path <file>', 'CSV of where the visitor goes: time, x, y, z, and yaw and pitch in degrees')
    .option('--expect <file>', 'JSON or YAML of events that must and must not occur; ends with 1 if one is not met')
    .option('--out <file>', 'write to a file instead of standard output')
    .addHelpText(
      'after',
      examples(
        'enfilade rooms simulate room.json --from 19:55 --to 20:30',
        'enfilade rooms simulate gallery --from 20:00 --to 20:10 --path poses.csv --json',
        'enfilade rooms simulate opera.json --from 19:55 --to 20:30 --expect opera.expect.yaml',
        'enfilade rooms simulate opera.json --from 19:55 --to 20:30 --start 20:00 --utc-offset -120',
        'enfilade rooms simulate opera.json --from 19:55 --to 20:30 --time-zone Europe/Amsterdam --date 2026-10-25',
      ),
    )
    .action(async (room: string, options: Options) => {
      const format = formatOf(options);
      if (isReported(format) && options.expect === undefined)
        throw usageError(`--format ${format} needs --expect.`, 'Name a file of expectations, or use --json.');
      const { playRoom } = await import('./play-room.ts');
      // A mistake in the expectations is reported before the room is played.
      const check = options.expect === undefined ? null : await import('./expectations.ts');
      const expected = check && (await check.readExpectations(options.expect!));
      const rows = await playRoom(room, options);
      const { tableText } = await import('../report/table.ts');
      const table = rows.map((row) => ({ ...row }));
      const shown =
        rows.length > 0
          ? tableText(['clock', 'time', 'event', 'element', 'detail'], table)
          : 'Nothing happens in that time.\n';
      const unmet = check && expected ? check.unmet(expected, rows, options.from) : [];
      if (check && expected && isReported(format))
        await writeOutput(options.out, check.expectationReport(format, expected, unmet));
      else await writeOutput(options.out, format === 'json' ? jsonText(rows) : shown);
      if (unmet.length === 0) return;
      const problems = unmet.map(
        ({ file, line, path, message }): Problem => ({
          ...(file !== undefined && { file }),
          ...(line !== undefined && { line }),
          column: path,
          reason: message,
        }),
      );
      throw wrongError('The room did not play as expected.', 'Correct the room, or the expectations.', problems);
    });
  for (const option of formatOptions()) command.addOption(option);
};
