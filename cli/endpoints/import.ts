import { type AddCommand, connected, examples } from '../command.ts';
import { itemsOf } from '../imports/read-files.ts';
import { importItems } from '../imports/send-import.ts';
import { type ImportOptions, importOptions } from '../report/import-options.ts';
import { ENDPOINT_COLUMNS } from './columns.ts';

export const importEndpoints: AddCommand = (endpoints) => {
  const command = endpoints
    .command('import')
    .description('add and change structures by their public paths, from JSON or CSV: all of them or none')
    .argument('<files...>', 'files or patterns; - for JSON on standard input')
    .addHelpText(
      'after',
      `${examples('enfilade endpoints import endpoints.csv --dry-run', 'enfilade endpoints import endpoints.json --prune')}

Columns of a table (an empty cell leaves its field as it is): ${Object.keys(ENDPOINT_COLUMNS).join(', ')}`,
    )
    .action(
      connected(async ({ client }, files: string[], options: ImportOptions) => {
        const items = await itemsOf(files, ENDPOINT_COLUMNS);
        await importItems(items, options, (body, idempotencyKey) =>
          client.imports.endpoints({ body: { ...body, items: body.items as { path: string }[] }, idempotencyKey }),
        );
      }),
    );
  for (const option of importOptions()) command.addOption(option);
};
