import { type AddCommand, connected, examples } from '../command.ts';
import { type ListOptions, listOptions, printList } from '../report/list.ts';

const COLUMNS = ['id', 'name', 'url', 'events', 'is_paused', 'failing_since', 'disabled_at'];

export const listWebhooks: AddCommand = (webhooks) => {
  const command = webhooks
    .command('list')
    .description('list webhooks, in the order in which they were added')
    .addHelpText('after', examples('enfilade webhooks list', 'enfilade webhooks list --json'))
    .action(
      connected(async ({ client }, options: ListOptions) => {
        const rows = await client.webhooks.list();
        await printList(options, COLUMNS, rows, (row) => ({ ...row, events: row.events.join(' ') }));
      }),
    );
  for (const option of listOptions()) command.addOption(option);
};
