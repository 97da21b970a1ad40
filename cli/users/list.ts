import { type AddCommand, connected, examples } from '../command.ts';
import { type ListOptions, listOptions, printList, sortOption } from '../report/list.ts';
import { USER_ORDERS, type UserOrder } from '../words.ts';
import { eachUser } from './find-user.ts';

const USER_COLUMNS = ['id', 'name', 'email', 'is_active', 'is_invited', 'last_seen_at'];

export const listUsers: AddCommand = (users) => {
  const command = users
    .command('list')
    .description('list users by name; export writes what import reads')
    .addOption(sortOption(USER_ORDERS))
    .addHelpText('after', examples('enfilade users list --sort -seen', 'enfilade users list --json --out users.json'))
    .action(
      connected(async ({ client }, { sort, ...options }: ListOptions & { sort?: UserOrder }) => {
        await printList(options, USER_COLUMNS, eachUser(client, sort), (row) => row);
      }),
    );
  for (const option of listOptions()) command.addOption(option);
};
