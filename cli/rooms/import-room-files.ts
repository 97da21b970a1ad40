import type { Client } from '../../src/contract/client.ts';
import type { ImportPlan } from '../../src/contract/entities.ts';
import { importBundle } from '../bundles/import-bundle.ts';
import { readBundle } from '../bundles/read-bundle.ts';
import { usageError } from '../failure.ts';
import { importFile, type SendFile, sendItems } from '../imports/import-file.ts';
import { eachItem } from '../imports/read-files.ts';
import { planText, refuseWrong } from '../imports/send-import.ts';
import { fileOnDisk, filesOf } from '../io/read-file.ts';
import { jsonText } from '../io/write-output.ts';
import type { ImportOptions } from '../report/import-options.ts';
import { fromRoomRow, ROOM_COLUMNS } from './columns.ts';

/** Imports documents, tables and bundles of rooms, and prints what was done. */
export async function importRoomFiles(client: Client, files: string[], options: ImportOptions): Promise<void> {
  const names = await filesOf(files);
  const bundles = names.filter((name) => /\.zip$/i.test(name));
  if (bundles.length > 0 && options.prune)
    throw usageError('--prune does not go with bundles.', 'Import documents to say which rooms there are.');
  const documents = names.filter((name) => !bundles.includes(name));
  const items = eachItem(documents, ROOM_COLUMNS, fromRoomRow);
  const send: SendFile = (request, idempotencyKey) => client.imports.roomsFile({ ...request, idempotencyKey });
  if (bundles.length === 0) return importFile(items, options, send);
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
    if (documents.length > 0) {
      const { plan, places } = await sendItems(items, options, send);
      refuseWrong(plan, (index) => places.at(index));
      note(plan, 'documents');
    }
  } finally {
    if (options.json) process.stdout.write(jsonText(plans));
  }
}
