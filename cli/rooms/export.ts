import { type AddCommand, connected, examples } from '../command.ts';
import type { RoomExport } from './export-room.ts';

export const exportRooms: AddCommand = (rooms) => {
  rooms
    .command('export')
    .description('write rooms as JSON documents')
    .argument('[room]', 'id, public path or name of a room')
    .option('--all', 'every room: as a list, or each into a file of its own in the folder of --out')
    .option(
      '--with-media <file>',
      'a bundle: the room with its template and media, into this file; - for standard output',
    )
    .option('--json', 'JSON documents, as without it')
    .option('--csv', 'a table of the rooms: flat columns, formulas defused')
    .option('--out <place>', 'file, or folder (without .json at its end for --all); standard output otherwise')
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
