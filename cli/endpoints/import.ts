import { type AddCommand, connected, examples } from '../command.ts';
import { addImportOptions, type ImportOptions } from '../report/import-options.ts';
import { ENDPOINT_COLUMNS } from './columns.ts';

export const importEndpoints: AddCommand = (endpoints) => {
  const command = endpoints
    .command('import')
    .description('add and change structures by their public paths, from JSON or CSV: all of them or none')
    .argument('<files...>', 'files or patterns; - for standard input, JSON or CSV')
    .addHelpText(
      'after',
      `${examples('enfilade endpoints import endpoints.csv --dry-run', 'enfilade endpoints import endpoints.json --prune')}

Columns of a table (an empty cell leaves its field as it is): ${Object.keys(ENDPOINT_COLUMNS).join(', ')}`,
    )
    .action(
      connected(async ({ client }, files: string[], options: ImportOptions) => {
        const { importFile } = await import('../imports/import-file.ts');
        const { eachItem } = await import('../imports/read-files.ts');
        await importFile(
          () => eachItem(files, ENDPOINT_COLUMNS),
          options,
          (request, idempotencyKey) => client.imports.endpointsFile({ ...request, idempotencyKey }),
        );
      }),
    );
  addImportOptions(command);
};
