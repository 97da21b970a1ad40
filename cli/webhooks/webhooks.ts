import { Option } from 'commander';
import type { Client } from '../../src/contract/client.ts';
import type { Webhook } from '../../src/contract/entities.ts';
import { type AddCommand, connected, examples, group } from '../command.ts';
import { jsonText } from '../io/write-output.ts';
import { type ListOptions, listOptions, printList } from '../report/list.ts';
import { eachEntry } from '../report/pages.ts';
import { findByName, listCommand, removeEachCommand } from '../resource.ts';
import { WEBHOOK_EVENT_NAMES, type WebhookEvent } from '../words.ts';

const findWebhook = async (client: Client, wanted: string): Promise<Webhook> =>
  findByName(await client.webhooks.list(), wanted, 'webhook');

interface AddOptions {
  event: WebhookEvent[];
  json: boolean;
}

const addWebhook: AddCommand = (webhooks) => {
  webhooks
    .command('add')
    .description('add a webhook; its secret is printed once')
    .argument('<name>', 'name of the webhook')
    .argument('<url>', 'public URL that receives the events')
    .addOption(
      new Option('--event <events...>', 'events to subscribe to').choices(WEBHOOK_EVENT_NAMES).makeOptionMandatory(),
    )
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      examples('enfilade webhooks add "Build" https://example.com/hook --event space.published stream.started'),
    )
    .action(
      connected(async ({ client }, name: string, url: string, { event, json }: AddOptions) => {
        const webhook = await client.webhooks.create({ body: { name, url, events: event } });
        process.stdout.write(json ? jsonText(webhook) : `Webhook ${webhook.id}: ${webhook.secret}\n`);
      }),
    );
};

const testWebhook: AddCommand = (webhooks) => {
  webhooks
    .command('test')
    .description('send a test event')
    .argument('<webhook>', 'name or ID')
    .addHelpText('after', examples('enfilade webhooks test "Build"'))
    .action(
      connected(async ({ client }, given: string) => {
        const { id } = await findWebhook(client, given);
        const { message_id } = await client.webhooks.test({ params: { id } });
        process.stdout.write(
          `Message ${message_id} has been queued. Run \`enfilade webhooks log ${id}\` to see its delivery.\n`,
        );
      }),
    );
};

const LOG_COLUMNS = ['id', 'created_at', 'event', 'state', 'attempts', 'status', 'answer'];

const logWebhook: AddCommand = (webhooks) => {
  const command = webhooks
    .command('log')
    .description('print the deliveries of the last 30 days, newest first')
    .argument('<webhook>', 'name or ID')
    .addHelpText('after', examples('enfilade webhooks log "Build" --json'))
    .action(
      connected(async ({ client }, given: string, options: ListOptions) => {
        const { id } = await findWebhook(client, given);
        const rows = eachEntry((page) => client.webhooks.deliveries({ params: { id }, query: page }));
        await printList(options, LOG_COLUMNS, rows, (row) => row);
      }),
    );
  for (const option of listOptions()) command.addOption(option);
};

export const webhooks = group('webhooks', 'webhook subscriptions', [
  listCommand({
    description: 'list webhooks, oldest first',
    examples: ['webhooks list', 'webhooks list --json'],
    columns: ['id', 'name', 'url', 'events', 'is_paused', 'failing_since', 'disabled_at'],
    each: (client) => client.webhooks.list(),
    row: (webhook) => ({ ...webhook, events: webhook.events.join(' ') }),
  }),
  addWebhook,
  testWebhook,
  logWebhook,
  removeEachCommand({
    description: "remove webhooks and their deliveries; this can't be undone",
    examples: ['webhooks remove "Build"'],
    argument: ['webhooks', 'names or IDs'],
    find: findWebhook,
    remove: (client, id) => client.webhooks.remove({ params: { id } }),
  }),
]);
