import type { Client } from '../../src/contract/client.ts';
import { importBundles } from '../bundles/import-bundles.ts';
import { usageError } from '../failure.ts';
import { importFile, type SendFile } from '../imports/import-file.ts';
import { eachItem } from '../imports/read-files.ts';
import { planText } from '../imports/send-import.ts';
import { filesOf } from '../io/read-file.ts';
import { jsonText } from '../io/write-output.ts';
import type { ImportOptions } from '../report/import-options.ts';
import { withConsent } from '../safety/consent.ts';
import { fromRoomRow, ROOM_COLUMNS } from './columns.ts';

/** Imports documents, tables and bundles of rooms, and prints the result. */
export async function importRoomFiles(client: Client, files: string[], options: ImportOptions): Promise<void> {
  const names = await filesOf(files);
  const bundles = names.filter((name) => /\.zip$/i.test(name));
  if (bundles.length > 0 && options.prune)
    throw usageError(
      "--prune can't be combined with bundles.",
      "Import documents to remove rooms that aren't in them.",
    );
  const documents = names.filter((name) => !bundles.includes(name));
  const items = () => eachItem(documents, ROOM_COLUMNS, fromRoomRow);
  const send: SendFile = (request, idempotencyKey) => client.imports.roomsFile({ ...request, idempotencyKey });
  if (bundles.length === 0) return importFile(items, options, send);
  await withConsent(options, async (isTried) => {
    const given = documents.length > 0 ? items : () => [];
    const plan = await importBundles(client, bundles, { documents: given, send }, { ...options, dryRun: isTried });
    process.stdout.write(options.json ? jsonText(plan) : planText(plan, isTried));
    // A dry run of a bundle can't predict whether its room would change.
    return true;
  });
}
