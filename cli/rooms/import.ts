import { type AddCommand, connected, examples } from '../command.ts';
import { addImportOptions, type ImportOptions } from '../report/import-options.ts';
import { ROOM_COLUMNS } from './columns.ts';

export const importRooms: AddCommand = (rooms) => {
  const command = rooms
    .command('import')
    .description('create and update rooms by name, from JSON documents, CSV tables or bundles, all or none')
    .argument('<files...>', 'files or patterns; - for JSON or CSV from standard input')
    .addHelpText(
      'after',
      `${examples(
        'enfilade rooms import gallery.json',
        "enfilade rooms import 'rooms/*.json' --dry-run",
        'enfilade rooms import rooms.csv --mode create --json',
        'enfilade rooms import gallery.enfilade.zip',
      )}

All files form one import: if any is invalid, nothing is imported, and one undo reverts all of them. A bundle includes its
template and files. --dry-run of a bundle uploads nothing and only reports whether its room exists.

Columns of a table (an empty cell leaves its field unchanged): ${Object.keys(ROOM_COLUMNS).join(', ')}`,
    )
    .action(
      connected(async ({ client }, files: string[], options: ImportOptions) => {
        const { importRoomFiles } = await import('./import-room-files.ts');
        await importRoomFiles(client, files, options);
      }),
    );
  addImportOptions(command);
};
