import { type AddCommand, connected, examples } from '../command.ts';
import { itemsOf } from '../imports/read-files.ts';
import { importItems } from '../imports/send-import.ts';
import { type ImportOptions, importOptions } from '../report/import-options.ts';
import { TEMPLATE_COLUMNS } from './columns.ts';

export const importTemplates: AddCommand = (templates) => {
  const command = templates
    .command('import')
    .description('add and change templates by their names, from JSON documents or CSV tables: all of them or none')
    .argument('<files...>', 'files or patterns; - for JSON on standard input')
    .addHelpText(
      'after',
      `${examples('enfilade templates import templates.json --dry-run', 'enfilade templates import templates.csv')}

Columns of a table (an empty cell leaves its field as it is): ${Object.keys(TEMPLATE_COLUMNS).join(', ')}`,
    )
    .action(
      connected(async ({ client }, files: string[], options: ImportOptions) => {
        const items = await itemsOf(files, TEMPLATE_COLUMNS);
        await importItems(items, options, (body, idempotencyKey) => client.imports.templates({ body, idempotencyKey }));
      }),
    );
  for (const option of importOptions()) command.addOption(option);
};
