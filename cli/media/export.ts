import { calls } from '../../src/contract/calls.ts';
import { type AddCommand, connected, examples } from '../command.ts';
import { usageError } from '../failure.ts';
import { writeOutput } from '../io/write-output.ts';

export const exportMedia: AddCommand = (media) => {
  media
    .command('export')
    .description('write a file of the media library; a page or model of several files as a zip')
    .argument('<id>', 'id of the file')
    .option('--out <file>', 'write to a file instead of standard output')
    .addHelpText('after', examples('enfilade media export 7 --out hall.jpg'))
    .action(
      connected(async ({ download }, id: string, { out }: { out?: string }) => {
        if (!/^\d{1,15}$/.test(id)) throw usageError(`"${id}" is no id.`, 'enfilade media list shows them.');
        await writeOutput(out, await download(calls.media.content, { id }));
      }),
    );
};
