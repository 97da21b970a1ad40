import type { Webhook } from '../../src/contract/entities.ts';
import { type AddCommand, connected, examples } from '../command.ts';
import { askFirst, type Safety, withConsent } from '../safety/consent.ts';
import { findWebhook } from './find-webhook.ts';

export const removeWebhooks: AddCommand = (webhooks) => {
  const command = webhooks
    .command('remove')
    .description('remove webhooks with what they were told; this cannot be undone')
    .argument('<webhooks...>', 'names or ids')
    .addHelpText('after', examples('enfilade webhooks remove "Build"'))
    .action(
      connected(async ({ client }, given: string[], options: Safety) => {
        const found: Webhook[] = [];
        for (const each of given) found.push(await findWebhook(client, each));
        await withConsent(options, async (isTried) => {
          for (const { id, name } of found) {
            if (!isTried) await client.webhooks.remove({ params: { id } });
            process.stdout.write(`${isTried ? 'would remove' : 'removed'} ${id} ${name}\n`);
          }
          return true;
        });
      }),
    );
  askFirst(command);
};
