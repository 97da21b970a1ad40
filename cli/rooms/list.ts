import { type AddCommand, connected, examples } from '../command.ts';
import { type ListOptions, listOptions, printList } from '../report/list.ts';
import { allPages } from '../report/pages.ts';

const COLUMNS = ['id', 'name', 'title', 'template_id', 'updated_at'];

export const listRooms: AddCommand = (rooms) => {
  const command = rooms
    .command('list')
    .description('list rooms by name')
    .option('--search <words>', 'only those whose name contains these words')
    .addHelpText(
      'after',
      examples('enfilade rooms list', 'enfilade rooms list --json', 'enfilade rooms list --csv --out rooms.csv'),
    )
    .action(
      connected(async ({ client }, { search, ...options }: ListOptions & { search?: string }) => {
        const rows = await allPages((page) => client.rooms.list({ query: { ...page, search } }));
        await printList(options, COLUMNS, rows, (row) => row);
      }),
    );
  for (const option of listOptions()) command.addOption(option);
};
