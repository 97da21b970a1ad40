import { openAsBlob } from 'node:fs';
import type { NestedRoom } from '../../engine/document/room.ts';
import type { Client } from '../../src/contract/client.ts';
import type { ImportPlan } from '../../src/contract/entities.ts';
import { wrongError } from '../failure.ts';
import { type SendFile, sendItems } from '../imports/import-file.ts';
import { refuseWrong } from '../imports/send-import.ts';
import { fileOnDisk } from '../io/read-file.ts';
import type { Item } from '../io/read-items.ts';
import type { ImportOptions } from '../report/import-options.ts';
import { notifyNotes } from '../report/notes.ts';
import { asRoom } from '../rooms/room-argument.ts';
import { PLACEHOLDER } from './bundle.ts';
import { type AddedSource, type FoundSources, findSources, removeSources } from './find-sources.ts';
import { type Bundle, readBundle } from './read-bundle.ts';
import { BEYOND_IDS, renumbered } from './renumber.ts';
import { withSources } from './sources.ts';

/** A validated bundle and its source file. */
interface Read {
  file: string;
  bundle: Bundle;
}

/** The document of a bundle's room, with the URLs of uploaded media. */
function resolved({ bundle: { room }, file }: Read, addresses: ReadonlyMap<string, string>): NestedRoom {
  const text = room.replace(PLACEHOLDER, (_, path: string, name: string) => {
    const address = addresses.get(`${path} ${decodeURIComponent(name)}`);
    if (address) return address;
    throw wrongError(`${file} isn't a bundle.`, 'Export the room again.', [{ file, reason: `${path} is missing` }]);
  });
  // Element ids in a bundle are positions, which must not match existing elements.
  return renumbered(asRoom(JSON.parse(text), file), BEYOND_IDS);
}

/**
 * Uploads the media of bundles to the library; existing content is not stored twice.
 * @returns the URLs by path and name, and the uploaded files
 */
async function uploadMedia(client: Client, read: readonly Read[], added: number[]): Promise<Map<string, string>> {
  const newest = (await client.media.list()).data[0]?.id ?? 0;
  const addresses = new Map<string, string>();
  for (const { manifest, files } of read.map(({ bundle }) => bundle))
    for (const { path, name } of manifest.media) {
      if (addresses.has(`${path} ${name}`)) continue;
      const file = new File([await openAsBlob(files.get(path)!)], name);
      const { id, url } = await client.media.upload({ body: {}, files: { file } });
      if (id > newest) added.push(id);
      addresses.set(`${path} ${name}`, url);
    }
  return addresses;
}

/** The templates and rooms of bundles as items of one import: each template once, before the rooms. */
function itemsOf(rooms: readonly { file: string; room: Record<string, unknown> }[]): Item[] {
  const templates = new Map<string, Item>();
  for (const { file, room } of rooms) {
    const template = room.template as { name: string } | null | undefined;
    if (!template) continue;
    const value = { template_document: { ...template } };
    const other = templates.get(template.name);
    if (other && JSON.stringify({ ...other.value }) !== JSON.stringify(value))
      throw wrongError('Nothing was imported.', 'Import these bundles one at a time.', [
        { file, reason: `its template "${template.name}" differs from the one in ${other.file}` },
      ]);
    templates.set(template.name, { value, file, line: 1, isRow: false });
  }
  return [...templates.values(), ...rooms.map(({ file, room }) => ({ value: room, file, line: 1, isRow: false }))];
}

/** The name of a room and of its template, enough for a dry run. */
function headOf({ bundle, file }: Read): { file: string; room: Record<string, unknown> } {
  const { title, name, template } = asRoom(JSON.parse(bundle.room), file);
  return { file, room: { title, name, ...(template && { template: { name: template.name } }) } };
}

/**
 * Imports bundles and accompanying documents as one import, all or nothing. All files are read and validated first, then
 * media are uploaded, then one transaction adds templates and rooms. Feeds and live streams are matched by name.
 * A dry run uploads nothing, so for bundles it only predicts which rooms would be added or changed.
 * @param documents further documents to import
 * @throws CliError with all problems; media, feeds and live streams added for the import are deleted
 */
export async function importBundles(
  client: Client,
  names: readonly string[],
  { documents, send }: { documents: () => Iterable<Item> | AsyncIterable<Item>; send: SendFile },
  options: ImportOptions,
): Promise<ImportPlan> {
  const read: Read[] = [];
  for (const file of names) read.push({ file, bundle: await readBundle((await fileOnDisk(file)).path, file) });
  const run = async (items: Item[], dryRun: boolean): Promise<ImportPlan> => {
    async function* all() {
      yield* items;
      yield* documents();
    }
    const { plan, places } = await sendItems(all(), { ...options, dryRun }, send);
    refuseWrong(plan, (index) => places.at(index));
    return plan;
  };
  const sourcesOf = async (sources: AddedSource[] | null) => {
    const found: FoundSources[] = [];
    for (const { bundle } of read) found.push(await findSources(client, bundle.manifest, sources));
    notifyNotes(
      found.flatMap(({ notes }) => notes),
      options.json,
    );
    return found;
  };
  const tried = await run(itemsOf(read.map(headOf)), true);
  if (options.dryRun) {
    await sourcesOf(null);
    return tried;
  }
  const added: number[] = [];
  const sources: AddedSource[] = [];
  try {
    const addresses = await uploadMedia(client, read, added);
    const rooms = read.map((one) => ({ file: one.file, room: resolved(one, addresses) as Record<string, unknown> }));
    const withFound = (idOf: (index: number, kind: 'feeds' | 'live_streams', place: number) => number | null) =>
      itemsOf(
        rooms.map(({ file, room }, index) => ({
          file,
          room: withSources(room, (kind, place) => idOf(index, kind, place)) as Record<string, unknown>,
        })),
      );
    const hasSources = read.some(
      ({ bundle: { manifest } }) => manifest.feeds.length + manifest.live_streams.length > 0,
    );
    // Rejected rooms must not leave feeds behind.
    if (hasSources)
      await run(
        withFound(() => null),
        true,
      );
    const found = await sourcesOf(sources);
    return await run(
      withFound((index, kind, place) => found[index]![kind][place - 1] ?? null),
      false,
    );
  } catch (error) {
    // The import may fail after its dry run, such as on a quota that was reached meanwhile.
    notifyNotes(await removeSources(client, sources), options.json);
    for (const id of added) await client.media.remove({ params: { id } }).catch(() => undefined);
    throw error;
  }
}
