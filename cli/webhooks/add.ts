import { Option } from 'commander';
import { type AddCommand, connected, examples } from '../command.ts';
import { jsonText } from '../io/write-output.ts';
import { WEBHOOK_EVENT_NAMES, type WebhookEvent } from '../words.ts';

interface Options {
  event: WebhookEvent[];
  json: boolean;
}

export const addWebhook: AddCommand = (webhooks) => {
  webhooks
    .command('add')
    .description('add a webhook; its secret is printed, and never shown again')
    .argument('<name>', 'what it is for')
    .argument('<url>', 'address that is told, in the public internet')
    .addOption(
      new Option('--event <events...>', 'what it is told of').choices(WEBHOOK_EVENT_NAMES).makeOptionMandatory(),
    )
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      examples('enfilade webhooks add "Build" https://example.com/hook --event space.published stream.started'),
    )
    .action(
      connected(async ({ client }, name: string, url: string, { event, json }: Options) => {
        const webhook = await client.webhooks.create({ body: { name, url, events: event } });
        process.stdout.write(json ? jsonText(webhook) : `Webhook ${webhook.id}: ${webhook.secret}\n`);
      }),
    );
};
