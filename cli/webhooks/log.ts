import { type AddCommand, connected, examples } from '../command.ts';
import { type ListOptions, listOptions, printList } from '../report/list.ts';
import { eachEntry } from '../report/pages.ts';
import { findWebhook } from './find-webhook.ts';

const COLUMNS = ['id', 'created_at', 'event', 'state', 'attempts', 'status', 'answer'];

export const logWebhook: AddCommand = (webhooks) => {
  const command = webhooks
    .command('log')
    .description('print what a webhook was told in the last 30 days, newest first')
    .argument('<webhook>', 'name or id')
    .addHelpText('after', examples('enfilade webhooks log "Build" --json'))
    .action(
      connected(async ({ client }, given: string, options: ListOptions) => {
        const { id } = await findWebhook(client, given);
        const rows = eachEntry((page) => client.webhooks.deliveries({ params: { id }, query: page }));
        await printList(options, COLUMNS, rows, (row) => row);
      }),
    );
  for (const option of listOptions()) command.addOption(option);
};
