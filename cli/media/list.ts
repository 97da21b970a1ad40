import { Option } from 'commander';
import type { MediaType } from '../../src/contract/entities.ts';
import { listCommand } from '../resource.ts';
import { MEDIA_TYPES } from '../words.ts';
import { eachMedia } from './each-media.ts';

const COLUMNS = ['id', 'name', 'type', 'mime', 'bytes', 'url', 'created_at'];

export const listMedia = listCommand({
  description: 'list files in the media library, newest first',
  examples: ['media list --type image', 'media list --json'],
  // URLs are too long for a terminal.
  columns: COLUMNS.filter((name) => name !== 'url'),
  csvColumns: COLUMNS,
  options: () => [
    new Option('--search <words>', 'filter by text in the name'),
    new Option('--type <type>', 'filter by type').choices(MEDIA_TYPES),
  ],
  each: (client, { search, type }: { search?: string; type?: MediaType }) => eachMedia(client, { search, type }),
});
