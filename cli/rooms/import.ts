import { type AddCommand, connected, examples } from '../command.ts';
import { addImportOptions, type ImportOptions } from '../report/import-options.ts';
import { ROOM_COLUMNS } from './columns.ts';

export const importRooms: AddCommand = (rooms) => {
  const command = rooms
    .command('import')
    .description('add and change rooms by their names, from JSON documents, CSV tables or bundles: all of them or none')
    .argument('<files...>', 'files or patterns; - for standard input, JSON or CSV')
    .addHelpText(
      'after',
      `${examples(
        'enfilade rooms import gallery.json',
        "enfilade rooms import 'rooms/*.json' --dry-run",
        'enfilade rooms import rooms.csv --mode create --json',
        'enfilade rooms import gallery.enfilade.zip',
      )}

All files are one import: when anything is wrong, nothing is imported, and one undo takes all of it back. A bundle brings its
template and files along. --dry-run of one uploads nothing: it says whether its room is there, not whether it would change.

Columns of a table (an empty cell leaves its field as it is): ${Object.keys(ROOM_COLUMNS).join(', ')}`,
    )
    .action(
      connected(async ({ client }, files: string[], options: ImportOptions) => {
        const { importRoomFiles } = await import('./import-room-files.ts');
        await importRoomFiles(client, files, options);
      }),
    );
  addImportOptions(command);
};
