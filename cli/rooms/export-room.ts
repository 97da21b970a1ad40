import { join } from 'node:path';
import type { Client } from '../../src/contract/client.ts';
import { normalizeSlug } from '../../src/contract/slug.ts';
import { writeBundle } from '../bundles/write-bundle.ts';
import type { Connection } from '../connection.ts';
import { usageError } from '../failure.ts';
import { csvLines } from '../io/csv-lines.ts';
import { jsonList, jsonText, writeOutput } from '../io/write-output.ts';
import { isFolder } from '../report/export-items.ts';
import { eachEntry } from '../report/pages.ts';
import { ROOM_COLUMNS, roomRow } from './columns.ts';
import { findRoom } from './find-room.ts';
import { readDocument } from './read-document.ts';
import { asRoom } from './room-argument.ts';

/** Options of a room export. */
export interface RoomExport {
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
async function* eachDocument(client: Client): AsyncGenerator<unknown> {
  for await (const { id } of eachRoom(client)) yield await readDocument(client, id);
}
async function* eachRow(client: Client, room: string | undefined): AsyncGenerator<Record<string, unknown>> {
  const rooms = room === undefined ? eachRoom(client) : [{ id: await findRoom(client, room) }];
  for await (const { id } of rooms) yield roomRow(await client.rooms.read({ params: { id } }));
}

/** Exports a room, or all rooms, as documents, a table or a bundle. */
export async function exportRoom(connection: Connection, room: string | undefined, options: RoomExport): Promise<void> {
  const { client } = connection;
  const { all, csv, out, withMedia } = options;
  if (all && room !== undefined) throw usageError("--all and a room can't be combined.", 'Use one of them.');
  if (!all && room === undefined) throw usageError('No room specified.', 'Specify one, or use --all.');
  if (withMedia) {
    if (!room || csv)
      throw usageError("--with-media requires a single room and can't be combined with --csv.", 'Specify a room.');
    if (out)
      throw usageError('--with-media and --out both specify the output file.', 'Use --with-media without --out.');
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
}
