import { type AddCommand, examples } from '../command.ts';
import { EXIT } from '../failure.ts';
import { jsonText, writeOutput } from '../io/write-output.ts';

export const mergeRooms: AddCommand = (rooms) => {
  rooms
    .command('merge')
    .description('merge two versions of a room by element and field, and write the result to our file')
    .argument('<base>', 'file of the common ancestor')
    .argument('<ours>', 'file of our version, overwritten with the result')
    .argument('<theirs>', 'file of their version')
    .option('--out <file>', 'write the result to another file; - for standard output')
    .addHelpText(
      'after',
      `${examples('enfilade rooms merge base.json ours.json theirs.json')}

Exits with 1 if both sides changed the same field: our value is kept, and conflicts are printed to standard error.

As git's merge driver, for rooms kept in git:
  $ git config merge.room.driver 'npx enfilade rooms merge %O %A %B'
  $ echo 'rooms/*.json merge=room' >> .gitattributes`,
    )
    .action(async (base: string, ours: string, theirs: string, { out = ours }: { out?: string }) => {
      const { mergeFiles } = await import('./merge-files.ts');
      const { document, conflicts } = await mergeFiles(base, ours, theirs);
      await writeOutput(out, jsonText(document));
      if (conflicts.length === 0) return;
      process.stderr.write(
        `enfilade: Both sides changed the same field; ours was kept. [conflict]\n${conflicts.map(({ text }) => `  ${text}\n`).join('')}`,
      );
      process.exitCode = EXIT.wrong;
    });
};
