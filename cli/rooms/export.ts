import { join } from 'node:path';
import type { Client } from '../../src/contract/client.ts';
import { normalizeSlug } from '../../src/contract/slug.ts';
import { writeBundle } from '../bundles/write-bundle.ts';
import { type AddCommand, connected, examples } from '../command.ts';
import { usageError } from '../failure.ts';
import { csvText } from '../io/csv.ts';
import { jsonText, writeOutput } from '../io/write-output.ts';
import { allPages } from '../report/pages.ts';
import { ROOM_COLUMNS, roomRow } from './columns.ts';
import { findRoom } from './find-room.ts';
import { readDocument } from './read-document.ts';
import { asRoom } from './room-argument.ts';

interface Options {
  all?: boolean;
  csv?: boolean;
  out?: string;
  withMedia?: string;
}

const allRooms = (client: Client) => allPages((page) => client.rooms.list({ query: page }));

async function exportAll(client: Client, folder: string): Promise<number> {
  const rows = await allRooms(client);
  for (const { id, name } of rows) {
    const file = join(folder, `${normalizeSlug(name) || 'room'}-${id}.json`);
    await writeOutput(file, jsonText(await readDocument(client, id)));
  }
  return rows.length;
}

export const exportRooms: AddCommand = (rooms) => {
  rooms
    .command('export')
    .description('write rooms as JSON documents')
    .argument('[room]', 'id, public path or name of a room')
    .option('--all', 'every room, each into a file of its own in the folder of --out')
    .option('--with-media <file>', 'a bundle: the room with its template and media, such as room.enfilade.zip')
    .option('--csv', 'a table of the rooms: flat columns, formulas defused')
    .option('--out <file>', 'file to write, or the folder for --all; standard output otherwise')
    .addHelpText(
      'after',
      examples(
        'enfilade rooms export gallery --out gallery.json',
        'enfilade rooms export 12 | jq .title',
        'enfilade rooms export --all --out backup/rooms',
        'enfilade rooms export --all --csv --out rooms.csv',
        'enfilade rooms export gallery --with-media gallery.enfilade.zip',
      ),
    )
    .action(
      connected(async (connection, room: string | undefined, options: Options) => {
        const { client } = connection;
        const { all, csv, out, withMedia } = options;
        if (all && room !== undefined) throw usageError('--all and a room were named.', 'Use one of them.');
        if (!all && room === undefined) throw usageError('No room is named.', 'Name one, or use --all --out FOLDER.');
        if (withMedia) {
          if (!room || csv) throw usageError('--with-media goes with one room, and no table.', 'Name a room.');
          const document = await readDocument(client, await findRoom(client, room));
          return writeOutput(withMedia, await writeBundle(connection, asRoom(document, room)));
        }
        if (csv) {
          const ids = room ? [await findRoom(client, room)] : (await allRooms(client)).map(({ id }) => id);
          const rows: Record<string, unknown>[] = [];
          for (const id of ids) rows.push(roomRow(await client.rooms.read({ params: { id } })));
          return writeOutput(out, csvText(Object.keys(ROOM_COLUMNS), rows));
        }
        if (all) {
          if (!out) throw usageError('--all needs a folder.', 'Add --out FOLDER.');
          process.stderr.write(`${await exportAll(client, out)} rooms written to ${out}.\n`);
          return;
        }
        await writeOutput(out, jsonText(await readDocument(client, await findRoom(client, room!))));
      }),
    );
};
