import { type AddCommand, examples } from '../command.ts';
import { EXIT } from '../failure.ts';
import { jsonText, writeOutput } from '../io/write-output.ts';

export const mergeRooms: AddCommand = (rooms) => {
  rooms
    .command('merge')
    .description('merge two versions of a room, element by element and field by field, into the file of ours')
    .argument('<base>', 'file of the version that both come from')
    .argument('<ours>', 'file of our version; it gets the result')
    .argument('<theirs>', 'file of the other version')
    .option('--out <file>', 'write the result elsewhere; - for standard output')
    .addHelpText(
      'after',
      `${examples('enfilade rooms merge base.json ours.json theirs.json')}

Ends with 1 when both sides changed the same field: ours is kept, and standard error says where.

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
        `enfilade: Both sides changed the same field; ours was kept. [conflict]\n${conflicts.map((text) => `  ${text}\n`).join('')}`,
      );
      process.exitCode = EXIT.wrong;
    });
};
