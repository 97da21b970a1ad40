import { type AddCommand, connected, examples } from '../command.ts';
import { usageError } from '../failure.ts';
import { writeOutput } from '../io/write-output.ts';
import { mediaIdOf } from './each-media.ts';

export const downloadMedia: AddCommand = (media) => {
  media
    .command('download')
    .description('download files as one ZIP archive: originals where they are stored, the served files otherwise')
    .argument('<ids...>', 'file IDs')
    .option('--out <file>', 'the archive; standard output by default')
    .addHelpText('after', examples('enfilade media download 7 8 9 --out images.zip'))
    .action(
      connected(async (connection, ids: string[], { out }: { out?: string }) => {
        const { calls } = await import('../../src/contract/calls.ts');
        const { MAX_ARCHIVE_FILES } = await import('../../src/contract/entities.ts');
        const wanted = [...new Set(ids.map(mediaIdOf))];
        if (wanted.length > MAX_ARCHIVE_FILES)
          throw usageError(`An archive has at most ${MAX_ARCHIVE_FILES} files.`, 'Name fewer files.');
        await writeOutput(out, await connection.download(calls.media.archive, {}, { ids: wanted.join(',') }));
      }),
    );
};
