import { type AddCommand, connected, examples } from '../command.ts';
import { askFirst, type Safety, withConsent } from '../safety/consent.ts';
import { findUser } from './find-user.ts';

export const removeUsers: AddCommand = (users) => {
  const command = users
    .command('remove')
    .description('remove users: their sessions and API keys end at once; what they did stays in the history')
    .argument('<users...>', 'e-mails or ids')
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      `${examples('enfilade users remove kim@example.com')}

Needs a signed-in user: enfilade login --email you@example.com. An API key has no permission for this.`,
    )
    .action(
      connected(async ({ client }, given: string[], options: Safety & { json: boolean }) => {
        // All of them are found before the first one goes.
        const ids: number[] = [];
        for (const user of given) ids.push((await findUser(client, user)).id);
        const { removeThings } = await import('../safety/remove-things.ts');
        const removal = { kind: 'users', ids, json: options.json } as const;
        await withConsent(options, (isTried) => removeThings(client, removal, isTried));
      }),
    );
  askFirst(command);
};
