import { Option } from 'commander';
import type { MediaType } from '../../src/contract/entities.ts';
import { type AddCommand, connected, examples } from '../command.ts';
import { type ListOptions, listOptions, printList } from '../report/list.ts';
import { MEDIA_TYPES } from '../words.ts';
import { eachMedia } from './each-media.ts';

const MEDIA_COLUMNS = ['id', 'name', 'type', 'mime', 'bytes', 'url', 'created_at'];
/** Columns that people look at: addresses are long. */
const SHOWN_MEDIA_COLUMNS = MEDIA_COLUMNS.filter((name) => name !== 'url');

export const listMedia: AddCommand = (media) => {
  const command = media
    .command('list')
    .description('list the files of the media library, newest first')
    .option('--search <words>', 'only those whose name contains these words')
    .addOption(new Option('--type <type>', 'only this kind').choices(MEDIA_TYPES))
    .addHelpText('after', examples('enfilade media list --type image', 'enfilade media list --json'))
    .action(
      connected(
        async ({ client }, { search, type, ...options }: ListOptions & { search?: string; type?: MediaType }) => {
          await printList(
            options,
            options.csv ? MEDIA_COLUMNS : SHOWN_MEDIA_COLUMNS,
            eachMedia(client, { search, type }),
            (row) => row,
          );
        },
      ),
    );
  for (const option of listOptions()) command.addOption(option);
};
