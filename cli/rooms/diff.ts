import { type FormatOptions, formatOf, formatOptions, isReported } from '../ci/problem-report.ts';
import { type AddCommand, examples } from '../command.ts';
import { EXIT, usageError } from '../failure.ts';
import { jsonText } from '../io/write-output.ts';

/** Arguments of git's external diff: path, old file, hash and mode, new file, hash and mode. */
const GIT_ARGUMENTS = 7;

export const diff: AddCommand = (rooms) => {
  const command = rooms
    .command('diff')
    .description('describe how two rooms differ; ends with 1 when they do')
    .argument('<rooms...>', "two files or rooms on the server; or git's seven arguments of an external diff")
    .addHelpText(
      'after',
      `${examples('enfilade rooms diff old.json new.json', 'enfilade rooms diff gallery gallery.json --json')}

As git's external diff, for rooms kept in git:
  $ git config diff.room.command 'npx enfilade rooms diff'
  $ echo 'rooms/*.json diff=room' >> .gitattributes`,
    )
    .action(async (given: string[], options: FormatOptions) => {
      const isGit = given.length === GIT_ARGUMENTS;
      if (given.length !== 2 && !isGit)
        throw usageError(`Two rooms are compared; ${given.length} were named.`, 'Name an old one and a new one.');
      const [old, current] = isGit ? [given[1]!, given[4]!] : [given[0]!, given[1]!];
      const { compareRooms } = await import('./compare-rooms.ts');
      const compared = await compareRooms(old, current);
      const { found, fields } = compared;
      const format = formatOf(options);
      if (isReported(format)) {
        const { diffReport } = await import('./report-findings.ts');
        process.stdout.write(await diffReport(format, compared));
      } else if (format === 'json') process.stdout.write(jsonText(fields ?? found));
      else if (isGit) process.stdout.write(`room ${given[0]}\n${found.map((text) => `  ${text}\n`).join('')}`);
      else process.stdout.write(found.map((text) => `${text}\n`).join('') || 'The rooms are the same.\n');
      // Git treats any other exit code than 0 as a failure.
      if (found.length > 0 && !isGit) process.exitCode = EXIT.wrong;
    });
  for (const option of formatOptions()) command.addOption(option);
};
