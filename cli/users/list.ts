import { type AddCommand, connected, examples } from '../command.ts';
import { type ListOptions, listOptions, printList } from '../report/list.ts';
import { allPages } from '../report/pages.ts';

const COLUMNS = ['id', 'name', 'email', 'is_active', 'is_invited', 'last_seen_at'];

export const listUsers: AddCommand = (users) => {
  const command = users
    .command('list')
    .description('list users by name')
    .addHelpText('after', examples('enfilade users list', 'enfilade users list --json --out users.json'))
    .action(
      connected(async ({ client }, options: ListOptions) => {
        const rows = await allPages((page) => client.users.list({ query: page }));
        await printList(options, COLUMNS, rows, (row) => row);
      }),
    );
  for (const option of listOptions()) command.addOption(option);
};
