import { type AddCommand, connected, examples } from '../command.ts';
import { removeEach } from '../report/remove-each.ts';
import { findUser } from './find-user.ts';

export const removeUsers: AddCommand = (users) => {
  users
    .command('remove')
    .description('remove users: their sessions and API keys end at once; what they did stays in the history')
    .argument('<users...>', 'e-mails or ids')
    .addHelpText(
      'after',
      `${examples('enfilade users remove kim@example.com')}

Needs a signed-in user: enfilade login --email you@example.com. An API key may not do this.`,
    )
    .action(
      connected(async ({ client }, given: string[]) => {
        // All of them are found before the first one goes.
        const ids: number[] = [];
        for (const user of given) ids.push((await findUser(client, user)).id);
        await removeEach(ids, (id) => client.users.remove({ params: { id } }));
      }),
    );
};
