import { basename } from 'node:path';
import type { Media } from '../../src/contract/entities.ts';
import { type AddCommand, connected, examples } from '../command.ts';
import { usageError } from '../failure.ts';
import { fileOnDisk, filesOf, STANDARD_INPUT } from '../io/read-file.ts';
import { jsonText } from '../io/write-output.ts';

export const importMedia: AddCommand = (media) => {
  media
    .command('import')
    .description('import files into the media library; a file with the same name and content is not imported again')
    .argument('<files...>', 'files or patterns; - for standard input')
    .option('--name <name>', 'name of the imported file, such as hall.jpg; its own name by default')
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      examples(
        "enfilade media import 'images/*.jpg'",
        'enfilade media import hall.glb --json',
        'enfilade media import - --name hall.jpg < image',
      ),
    )
    .action(
      connected(async ({ client }, patterns: string[], { json, name }: { json: boolean; name?: string }) => {
        const files = await filesOf(patterns);
        if (name !== undefined && files.length > 1)
          throw usageError('--name requires a single file.', 'Import the other files without it.');
        if (name === undefined && files.includes(STANDARD_INPUT))
          throw usageError('Standard input requires a name.', 'Add --name, such as --name hall.jpg.');
        const { uploadFile } = await import('./upload-file.ts');
        const found = await Promise.all(files.map((file) => fileOnDisk(file)));
        const made: Media[] = [];
        for (const { path, bytes } of found) {
          made.push(await uploadFile(client, { path, bytes, name: name ?? basename(path) }, { quiet: json }));
          if (!json) process.stdout.write(`${made.at(-1)!.id}  ${made.at(-1)!.type}  ${name ?? path}\n`);
        }
        if (json) process.stdout.write(jsonText(made));
      }),
    );
};
