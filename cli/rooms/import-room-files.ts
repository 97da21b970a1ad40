import type { Client } from '../../src/contract/client.ts';
import type { ImportPlan } from '../../src/contract/entities.ts';
import { importBundle } from '../bundles/import-bundle.ts';
import { readBundle } from '../bundles/read-bundle.ts';
import { usageError } from '../failure.ts';
import { importFile, type SendFile, sendItems } from '../imports/import-file.ts';
import { eachItem } from '../imports/read-files.ts';
import { changesAny, planText, refuseWrong } from '../imports/send-import.ts';
import { fileOnDisk, filesOf } from '../io/read-file.ts';
import type { Item } from '../io/read-items.ts';
import { jsonText } from '../io/write-output.ts';
import type { ImportOptions } from '../report/import-options.ts';
import { withConsent } from '../safety/consent.ts';
import { fromRoomRow, ROOM_COLUMNS } from './columns.ts';

/** Imports documents, tables and bundles of rooms, and prints what was done. */
export async function importRoomFiles(client: Client, files: string[], options: ImportOptions): Promise<void> {
  const names = await filesOf(files);
  const bundles = names.filter((name) => /\.zip$/i.test(name));
  if (bundles.length > 0 && options.prune)
    throw usageError('--prune does not go with bundles.', 'Import documents to say which rooms there are.');
  const documents = names.filter((name) => !bundles.includes(name));
  const items = () => eachItem(documents, ROOM_COLUMNS, fromRoomRow);
  const send: SendFile = (request, idempotencyKey) => client.imports.roomsFile({ ...request, idempotencyKey });
  if (bundles.length === 0) return importFile(items, options, send);
  await withConsent(options, (isTried) =>
    importAll(
      { bundles, items: documents.length > 0 ? items : null },
      { ...options, dryRun: isTried },
      { client, send },
    ),
  );
}

/** Imports bundles, and what documents hold. Says whether anything changes, as far as that is known before it is done. */
async function importAll(
  { bundles, items }: { bundles: readonly string[]; items: (() => AsyncGenerator<Item>) | null },
  options: ImportOptions,
  { client, send }: { client: Client; send: SendFile },
): Promise<boolean> {
  // A bundle has a plan for its template and one for its room; documents beside it have one for all of them.
  const plans: ImportPlan[] = [];
  const note = (plan: ImportPlan, from: string) => {
    plans.push(plan);
    if (!options.json) process.stdout.write(`${from}: ${planText(plan, options.dryRun)}`);
  };
  try {
    for (const file of bundles) {
      const bundle = await readBundle((await fileOnDisk(file)).path, file);
      for (const plan of await importBundle(client, bundle, file, options))
        note(plan, `${file}, ${plan.entries[0]?.kind === 'templates' ? 'template' : 'room'}`);
    }
    if (items) {
      const { plan, places } = await sendItems(items(), options, send);
      refuseWrong(plan, (index) => places.at(index));
      note(plan, 'documents');
    }
  } finally {
    if (options.json) process.stdout.write(jsonText(plans));
  }
  // A dry run of a bundle does not tell whether its room would change.
  return bundles.length > 0 || plans.some(changesAny);
}
