import type { ImportPlan } from '../../src/contract/entities.ts';
import { importBundle } from '../bundles/import-bundle.ts';
import { readBundle } from '../bundles/read-bundle.ts';
import { type AddCommand, connected, examples } from '../command.ts';
import { usageError } from '../failure.ts';
import { itemsOf } from '../imports/read-files.ts';
import { importItems, planText } from '../imports/send-import.ts';
import { fileOnDisk, filesOf } from '../io/read-file.ts';
import { jsonText } from '../io/write-output.ts';
import { type ImportOptions, importOptions } from '../report/import-options.ts';
import { fromRoomRow, ROOM_COLUMNS } from './columns.ts';

export const importRooms: AddCommand = (rooms) => {
  const command = rooms
    .command('import')
    .description('add and change rooms by their names, from JSON documents, CSV tables or bundles: all of them or none')
    .argument('<files...>', 'files or patterns; - for a JSON document on standard input')
    .addHelpText(
      'after',
      `${examples(
        'enfilade rooms import gallery.json',
        "enfilade rooms import 'rooms/*.json' --dry-run",
        'enfilade rooms import rooms.csv --mode create --json',
        'enfilade rooms import gallery.enfilade.zip',
      )}

Columns of a table (an empty cell leaves its field as it is): ${Object.keys(ROOM_COLUMNS).join(', ')}`,
    )
    .action(
      connected(async ({ client }, files: string[], options: ImportOptions) => {
        const names = await filesOf(files);
        const bundles = names.filter((name) => name.endsWith('.zip'));
        if (bundles.length > 0 && options.prune)
          throw usageError('--prune does not go with bundles.', 'Import documents to say which rooms there are.');
        const plans: ImportPlan[] = [];
        for (const file of bundles) {
          const bundle = await readBundle((await fileOnDisk(file)).path, file);
          const done = await importBundle(client, bundle, file, options);
          plans.push(...done);
          if (!options.json) process.stdout.write(done.map((plan) => planText(plan, options.dryRun)).join(''));
        }
        // A bundle has a plan for its template and one for its room.
        if (options.json && bundles.length > 0) process.stdout.write(jsonText(plans));
        const documents = names.filter((name) => !bundles.includes(name));
        if (documents.length === 0) return;
        const items = (await itemsOf(documents, ROOM_COLUMNS)).map(fromRoomRow);
        await importItems(items, options, (body, idempotencyKey) => client.imports.rooms({ body, idempotencyKey }));
      }),
    );
  for (const option of importOptions()) command.addOption(option);
};
