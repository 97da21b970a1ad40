import { type AddCommand, connected, examples } from '../command.ts';
import { addImportOptions, type ImportOptions } from '../report/import-options.ts';
import { TEMPLATE_COLUMNS } from './columns.ts';

export const importTemplates: AddCommand = (templates) => {
  const command = templates
    .command('import')
    .description('add and change templates by their names, from JSON documents or CSV tables: all of them or none')
    .argument('<files...>', 'files or patterns; - for standard input, JSON or CSV')
    .addHelpText(
      'after',
      `${examples('enfilade templates import templates.json --dry-run', 'enfilade templates import templates.csv')}

Columns of a table (an empty cell leaves its field as it is): ${Object.keys(TEMPLATE_COLUMNS).join(', ')}`,
    )
    .action(
      connected(async ({ client }, files: string[], options: ImportOptions) => {
        const { importFile } = await import('../imports/import-file.ts');
        const { eachItem } = await import('../imports/read-files.ts');
        await importFile(
          () => eachItem(files, TEMPLATE_COLUMNS),
          options,
          (request, idempotencyKey) => client.imports.templatesFile({ ...request, idempotencyKey }),
        );
      }),
    );
  addImportOptions(command);
};
