import { join } from 'node:path';
import { Option } from 'commander';
import type { Media, MediaType } from '../../src/contract/entities.ts';
import { type AddCommand, connected, examples } from '../command.ts';
import { usageError } from '../failure.ts';
import { writeOutput } from '../io/write-output.ts';
import { fileName, isFolder } from '../report/export-items.ts';
import { MEDIA_TYPES } from '../words.ts';
import { eachMedia, filesWithIds } from './each-media.ts';

interface Options {
  all: boolean;
  originals: boolean;
  type?: MediaType;
  search?: string;
  out?: string;
}

/** Assigns unique file names in a folder, ignoring case for case-insensitive file systems. */
class Names {
  readonly #taken = new Set<string>();

  of({ id, name }: Pick<Media, 'id' | 'name'>): string {
    let own = fileName(name.replaceAll('/', '-'));
    while (this.#taken.has(own.toLowerCase())) own = `${id}-${own}`;
    this.#taken.add(own.toLowerCase());
    return own;
  }
}

export const exportMedia: AddCommand = (media) => {
  media
    .command('export')
    .description('export files from the media library; sites and models with several files as ZIP')
    .argument('[ids...]', 'file IDs')
    .option('--all', 'export all files', false)
    .addOption(new Option('--type <type>', 'with --all: only this kind').choices(MEDIA_TYPES))
    .option('--search <words>', 'with --all: filter by text in the name')
    .option(
      '--originals',
      'export the original uploads, byte for byte; with --all, files without an original are skipped',
      false,
    )
    .option(
      '--out <place>',
      'file, or folder (an existing one, or a name that ends with /); standard output by default',
    )
    .addHelpText(
      'after',
      examples(
        'enfilade media export 7 --out hall.jpg',
        'enfilade media export 7 8 9 --out images/',
        'enfilade media export --all --type image --out images/',
        'enfilade media export 7 --originals --out hall.heic',
      ),
    )
    .action(
      connected(async (connection, ids: string[], options: Options) => {
        const { calls } = await import('../../src/contract/calls.ts');
        const { all, originals, out } = options;
        if (all === ids.length > 0)
          throw usageError(
            all ? "--all and file IDs can't be combined." : 'No file specified.',
            'Specify IDs, or use --all.',
          );
        const isInto = out !== undefined && (await isFolder(out));
        if (!isInto && (all || ids.length > 1))
          throw usageError('Several files require a folder.', 'Add --out with a folder, such as images/.');
        const files = all ? eachMedia(connection.client, options) : await filesWithIds(connection.client, ids);
        const names = new Names();
        const source = originals ? calls.media.original : calls.media.content;
        let count = 0;
        let skipped = 0;
        for await (const file of files) {
          if (originals && all && !file.original) {
            skipped++;
            continue;
          }
          const { id } = file;
          const name = (originals && file.original?.name) || file.name;
          await writeOutput(
            isInto ? join(out, names.of({ id, name })) : out,
            await connection.download(source, { id }),
          );
          count++;
        }
        if (isInto) process.stderr.write(`${count} written to ${out}.\n`);
        if (skipped > 0) process.stderr.write(`${skipped} skipped: no original stored.\n`);
      }),
    );
};
