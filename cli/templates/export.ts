import { type AddCommand, connected, examples } from '../command.ts';
import { usageError } from '../failure.ts';
import { type ExportOptions, exportItems, exportOne, exportOptions } from '../report/export-items.ts';
import { TEMPLATE_COLUMNS } from './columns.ts';
import { eachTemplate, findTemplate } from './find-template.ts';

export const exportTemplates: AddCommand = (templates) => {
  const command = templates
    .command('export')
    .description('write a template, or all of them, as JSON or CSV')
    .argument('[template]', 'id or name')
    .option('--all', 'all of them', false)
    .addHelpText(
      'after',
      examples(
        'enfilade templates export "White room" --out white.json',
        'enfilade templates export --all --out templates.json',
        'enfilade templates export --all --out templates/      # a file each',
        'enfilade templates export --all --csv --out templates.csv',
      ),
    )
    .action(
      connected(async ({ client }, wanted: string | undefined, options: ExportOptions & { all: boolean }) => {
        if (options.all && wanted !== undefined)
          throw usageError('--all and a template were named.', 'Use one of them.');
        if (!options.all && wanted === undefined) throw usageError('No template is named.', 'Name one, or use --all.');
        const { exported } = await import('./exported.ts');
        const columns = Object.keys(TEMPLATE_COLUMNS);
        if (wanted !== undefined) return exportOne(exported(await findTemplate(client, wanted)), columns, options);
        const items = async function* () {
          for await (const template of eachTemplate(client)) yield exported(template);
        };
        await exportItems(items(), columns, options);
      }),
    );
  for (const option of exportOptions()) command.addOption(option);
};
