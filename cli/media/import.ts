import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import type { Media } from '../../src/contract/entities.ts';
import { type AddCommand, connected, examples } from '../command.ts';
import { usageError } from '../failure.ts';
import { CountedFile } from '../io/counted-file.ts';
import { fileOnDisk, filesOf, STANDARD_INPUT } from '../io/read-file.ts';
import { jsonText } from '../io/write-output.ts';
import { Progress } from '../report/progress.ts';

export const importMedia: AddCommand = (media) => {
  media
    .command('import')
    .description('put files into the media library; a file that is there under its name stays the one that is there')
    .argument('<files...>', 'files or patterns')
    .option('--json', 'print JSON', false)
    .addHelpText('after', examples("enfilade media import 'pictures/*.jpg'", 'enfilade media import hall.glb --json'))
    .action(
      connected(async ({ client }, patterns: string[], { json }: { json: boolean }) => {
        if (patterns.includes(STANDARD_INPUT)) throw usageError('A file needs a name.', 'Write it to a file first.');
        const files = await filesOf(patterns);
        const found = await Promise.all(files.map(fileOnDisk));
        const made: Media[] = [];
        for (const { path, bytes } of found) {
          const progress = new Progress(bytes, { quiet: json });
          const file = new CountedFile(await openAsBlob(path), basename(path), (count) => progress.add(count));
          try {
            made.push(await client.media.upload({ body: {}, files: { file } }));
          } finally {
            progress.end();
          }
          if (!json) process.stdout.write(`${made.at(-1)!.id}  ${made.at(-1)!.type}  ${path}\n`);
        }
        if (json) process.stdout.write(jsonText(made));
      }),
    );
};
