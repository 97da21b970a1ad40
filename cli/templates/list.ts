import { type AddCommand, connected, examples } from '../command.ts';
import { type ListOptions, listOptions, printList, sortOption } from '../report/list.ts';
import { TEMPLATE_ORDERS, type TemplateOrder } from '../words.ts';
import { TEMPLATE_COLUMNS } from './columns.ts';
import { eachTemplate } from './find-template.ts';

export const listTemplates: AddCommand = (templates) => {
  const command = templates
    .command('list')
    .description('list templates by name')
    .addOption(sortOption(TEMPLATE_ORDERS))
    .addHelpText('after', examples('enfilade templates list', 'enfilade templates list --csv --out templates.csv'))
    .action(
      connected(async ({ client }, { sort, ...options }: ListOptions & { sort?: TemplateOrder }) => {
        const columns = options.csv ? Object.keys(TEMPLATE_COLUMNS) : ['id', ...Object.keys(TEMPLATE_COLUMNS)];
        await printList(options, columns, eachTemplate(client, sort), (row) => row);
      }),
    );
  for (const option of listOptions()) command.addOption(option);
};
