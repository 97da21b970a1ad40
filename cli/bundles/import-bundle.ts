import { openAsBlob } from 'node:fs';
import type { Room } from '../../engine/document/room.ts';
import type { Client } from '../../src/contract/client.ts';
import type { ImportPlan } from '../../src/contract/entities.ts';
import { wrongError } from '../failure.ts';
import { type Send, sendImport } from '../imports/send-import.ts';
import type { Item } from '../io/read-items.ts';
import type { ImportOptions } from '../report/import-options.ts';
import { tellNotes } from '../report/notes.ts';
import { asRoom } from '../rooms/room-argument.ts';
import { PLACEHOLDER } from './bundle.ts';
import { findSources } from './find-sources.ts';
import type { Bundle } from './read-bundle.ts';
import { BEYOND_IDS, renumbered } from './renumber.ts';
import { withSources } from './sources.ts';

/** Puts the media of a bundle into the library. Gives the addresses by path and name. */
async function uploadMedia(client: Client, { manifest, files }: Bundle): Promise<Map<string, string>> {
  const addresses = new Map<string, string>();
  for (const { path, name } of manifest.media) {
    const file = new File([await openAsBlob(files.get(path)!)], name);
    const { url } = await client.media.upload({ body: {}, files: { file } });
    addresses.set(`${path} ${name}`, url);
  }
  return addresses;
}

/** The document of a bundle's room, its media at the addresses that it has now. */
function resolved(room: string, addresses: ReadonlyMap<string, string>, file: string): Room {
  const text = room.replace(PLACEHOLDER, (_, path: string, name: string) => {
    const address = addresses.get(`${path} ${decodeURIComponent(name)}`);
    if (address) return address;
    throw wrongError(`${file} is no bundle.`, 'Export the room again.', [{ file, reason: `${path} is missing` }]);
  });
  // Ids of elements are places in the bundle: none of them may be that of an element that is there.
  return renumbered(asRoom(JSON.parse(text), file), BEYOND_IDS);
}

/**
 * Brings the room of a bundle in, with its template and its media; media that is there already is not stored twice. Feeds
 * and live streams are those of the same name here.
 * A dry run uploads nothing, so it only says whether the room would be added or changed.
 */
export async function importBundle(
  client: Client,
  bundle: Bundle,
  file: string,
  options: ImportOptions,
): Promise<ImportPlan[]> {
  const { manifest } = bundle;
  if (options.dryRun) {
    tellNotes((await findSources(client, manifest, true)).notes, options.json);
    const { title, name } = asRoom(JSON.parse(bundle.room), file);
    const send: Send = (body, idempotencyKey) => client.imports.rooms({ body, idempotencyKey });
    return [await sendImport([{ title, name }], file, { ...options, prune: false }, send)];
  }
  const addresses = await uploadMedia(client, bundle);
  const room = resolved(bundle.room, addresses, file);
  const switches = { ...options, prune: false };
  const plans: ImportPlan[] = [];
  if (room.template) {
    plans.push(
      // The template may be there from another room: only the room itself is refused where it is there already.
      await sendImport([{ ...room.template }], file, { ...switches, mode: 'upsert' }, (body, idempotencyKey) =>
        client.imports.templates({ body, idempotencyKey }),
      ),
    );
  }
  const send: Send = (body, idempotencyKey) => client.imports.rooms({ body, idempotencyKey });
  if (manifest.feeds.length + manifest.live_streams.length > 0) {
    // A room that is refused leaves no feed behind.
    const value = withSources(room, () => null) as Item['value'];
    await sendImport([value], file, { ...switches, dryRun: true }, send);
  }
  const found = await findSources(client, manifest, false);
  tellNotes(found.notes, options.json);
  const value = withSources(room, (kind, place) => found[kind][place - 1] ?? null) as Item['value'];
  plans.push(await sendImport([value], file, switches, send));
  return plans;
}
