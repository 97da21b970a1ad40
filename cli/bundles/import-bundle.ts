import { openAsBlob } from 'node:fs';
import type { Client } from '../../src/contract/client.ts';
import type { ImportPlan } from '../../src/contract/entities.ts';
import { wrongError } from '../failure.ts';
import { type Send, sendImport } from '../imports/send-import.ts';
import type { Item } from '../io/read-items.ts';
import type { ImportOptions } from '../report/import-options.ts';
import { PLACEHOLDER } from './bundle.ts';
import type { Bundle } from './read-bundle.ts';

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
function resolved(room: string, addresses: ReadonlyMap<string, string>, file: string): Item['value'] {
  const text = room.replace(PLACEHOLDER, (_, path: string, name: string) => {
    const address = addresses.get(`${path} ${decodeURIComponent(name)}`);
    if (address) return address;
    throw wrongError(`${file} is no bundle.`, 'Export the room again.', [{ file, reason: `${path} is missing` }]);
  });
  return JSON.parse(text);
}

/**
 * Brings the room of a bundle in, with its template and its media; media that is there already is not stored twice.
 * A dry run uploads nothing, so it only says whether the room would be added or changed.
 */
export async function importBundle(
  client: Client,
  bundle: Bundle,
  file: string,
  options: ImportOptions,
): Promise<ImportPlan[]> {
  if (options.dryRun) {
    const { title, name } = JSON.parse(bundle.room) as Item['value'];
    const item = { value: { title, name }, file };
    const send: Send = (body, idempotencyKey) => client.imports.rooms({ body, idempotencyKey });
    return [await sendImport([item], { ...options, prune: false }, send)];
  }
  const addresses = await uploadMedia(client, bundle);
  const room = resolved(bundle.room, addresses, file);
  const switches = { ...options, prune: false };
  const plans: ImportPlan[] = [];
  if (room.template) {
    const items = [{ value: room.template as Item['value'], file }];
    plans.push(
      // The template may be there from another room: only the room itself is refused where it is there already.
      await sendImport(items, { ...switches, mode: 'upsert' }, (body, idempotencyKey) =>
        client.imports.templates({ body, idempotencyKey }),
      ),
    );
  }
  plans.push(
    await sendImport([{ value: room, file }], switches, (body, idempotencyKey) =>
      client.imports.rooms({ body, idempotencyKey }),
    ),
  );
  return plans;
}
