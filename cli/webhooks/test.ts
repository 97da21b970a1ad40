import { type AddCommand, connected, examples } from '../command.ts';
import { findWebhook } from './find-webhook.ts';

export const testWebhook: AddCommand = (webhooks) => {
  webhooks
    .command('test')
    .description('send a webhook a message of the type test')
    .argument('<webhook>', 'name or id')
    .addHelpText('after', examples('enfilade webhooks test "Build"'))
    .action(
      connected(async ({ client }, given: string) => {
        const { id } = await findWebhook(client, given);
        const { message_id } = await client.webhooks.test({ params: { id } });
        process.stdout.write(`Message ${message_id} is on its way. See \`enfilade webhooks log ${id}\`.\n`);
      }),
    );
};
