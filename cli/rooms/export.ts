import { join } from 'node:path';
import type { Client } from '../../src/contract/client.ts';
import { normalizeSlug } from '../../src/contract/slug.ts';
import { writeBundle } from '../bundles/write-bundle.ts';
import { type AddCommand, connected, examples } from '../command.ts';
import { usageError } from '../failure.ts';
import { csvLines } from '../io/csv.ts';
import { jsonList, jsonText, writeOutput } from '../io/write-output.ts';
import { isFolder } from '../report/export-items.ts';
import { eachEntry } from '../report/pages.ts';
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

const eachRoom = (client: Client) => eachEntry((page) => client.rooms.list({ query: page }));

const fileOf = ({ id, name }: { id: number; name: string }) => `${normalizeSlug(name) || 'room'}-${id}.json`;

async function exportAll(client: Client, folder: string): Promise<number> {
  let count = 0;
  for await (const row of eachRoom(client)) {
    await writeOutput(join(folder, fileOf(row)), jsonText(await readDocument(client, row.id)));
    count++;
  }
  return count;
}

/** Every room as a document, one at a time. */
async function* eachDocument(client: Client): AsyncGenerator<unknown> {
  for await (const { id } of eachRoom(client)) yield await readDocument(client, id);
}

/** Rooms as rows of a table, one at a time. */
async function* eachRow(client: Client, room: string | undefined): AsyncGenerator<Record<string, unknown>> {
  const rooms = room === undefined ? eachRoom(client) : [{ id: await findRoom(client, room) }];
  for await (const { id } of rooms) yield roomRow(await client.rooms.read({ params: { id } }));
}

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
      connected(async (connection, room: string | undefined, options: Options) => {
        const { client } = connection;
        const { all, csv, out, withMedia } = options;
        if (all && room !== undefined) throw usageError('--all and a room were named.', 'Use one of them.');
        if (!all && room === undefined) throw usageError('No room is named.', 'Name one, or use --all.');
        if (withMedia) {
          if (!room || csv) throw usageError('--with-media goes with one room, and no table.', 'Name a room.');
          if (out) throw usageError('--with-media and --out both name a file.', 'Use --with-media alone.');
          const document = await readDocument(client, await findRoom(client, room));
          return writeOutput(withMedia, await writeBundle(connection, asRoom(document, room)));
        }
        if (csv) return writeOutput(out, csvLines(Object.keys(ROOM_COLUMNS), eachRow(client, room)));
        if (all) {
          if (!out || out === '-' || out.endsWith('.json')) return writeOutput(out, jsonList(eachDocument(client)));
          process.stderr.write(`${await exportAll(client, out)} rooms written to ${out}.\n`);
          return;
        }
        const id = await findRoom(client, room!);
        const document = await readDocument(client, id);
        const { name } = asRoom(document, room!);
        const file = out && (await isFolder(out)) ? join(out, fileOf({ id, name })) : out;
        await writeOutput(file, jsonText(document));
      }),
    );
};
