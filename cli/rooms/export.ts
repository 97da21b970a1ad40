import { type AddCommand, connected, examples } from '../command.ts';
import type { RoomExport } from './export-room.ts';

export const exportRooms: AddCommand = (rooms) => {
  rooms
    .command('export')
    .description('export rooms as JSON documents')
    .argument('[room]', 'ID, public path or name of a room')
    .option('--all', 'export all rooms: as a list, or each to a file in the folder given with --out')
    .option(
      '--with-media <file>',
      "export a bundle with the room's template and media to this file; - for standard output",
    )
    .option('--json', 'export JSON documents (the default)')
    .option('--csv', 'export a table: flat columns, with formulas escaped')
    .option('--out <place>', 'file, or folder for --all (a name without .json); standard output by default')
    .addHelpText(
      'after',
      examples(
        'enfilade rooms export gallery --out gallery.json',
        'enfilade rooms export 12 | jq .title',
        'enfilade rooms export --all --out backup/rooms      # a file each',
        'enfilade rooms export --all --out rooms.json',
        'enfilade rooms export --all --csv --out rooms.csv',
        'enfilade rooms export gallery --with-media gallery.enfilade.zip',
      ),
    )
    .action(
      connected(async (connection, room: string | undefined, options: RoomExport) => {
        const { exportRoom } = await import('./export-room.ts');
        await exportRoom(connection, room, options);
      }),
    );
};
