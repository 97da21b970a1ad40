import { Option } from 'commander';
import { listCommand } from '../resource.ts';
import { MEDIA_ORDERS, MEDIA_TYPES } from '../words.ts';
import { eachMedia, type MediaSearch } from './each-media.ts';

const COLUMNS = [
  'id',
  'name',
  'type',
  'mime',
  'bytes',
  'url',
  'created_at',
  'title',
  'creator',
  'lighter',
  'lighter_bytes',
  'loudness',
  'gain',
];

export const listMedia = listCommand({
  description: 'list files in the media library, newest first by default',
  examples: [
    'media list --type image',
    'media list --folder Museum/East --unused --sort -bytes',
    'media list --duplicates --json',
  ],
  // URLs are too long for a terminal.
  columns: COLUMNS.filter((name) => !['url', 'creator', 'lighter_bytes', 'loudness', 'gain'].includes(name)),
  csvColumns: COLUMNS,
  orders: MEDIA_ORDERS,
  options: () => [
    new Option('--search <words>', 'filter by words in the name and the texts'),
    new Option('--type <type>', 'filter by type').choices(MEDIA_TYPES),
    new Option('--folder <folder>', 'filter by folder, including its subfolders; / for files in no folder'),
    new Option('--keyword <keyword>', 'filter by keyword'),
    new Option('--used', 'only files in use').conflicts('unused'),
    new Option('--unused', 'only files that nothing uses'),
    new Option('--without-alt', 'only images without alternative text'),
    new Option('--duplicates', 'only files with the same content as another file'),
  ],
  // JSON contains all texts.
  each: (client, options: MediaSearch) => eachMedia(client, options, { hasTranscripts: true }),
  row: (media) => ({ ...media, lighter: media.optimized?.state, lighter_bytes: media.optimized?.bytes }),
});
