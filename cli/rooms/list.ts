import { type AddCommand, connected, examples } from '../command.ts';
import { type ListOptions, listOptions, printList } from '../report/list.ts';
import { eachEntry } from '../report/pages.ts';

const ROOM_COLUMNS = ['id', 'name', 'title', 'template_id', 'updated_at'];

export const listRooms: AddCommand = (rooms) => {
  const command = rooms
    .command('list')
    .description('list rooms by name; export writes what import reads')
    .option('--search <words>', 'only those whose name contains these words')
    .addHelpText(
      'after',
      examples('enfilade rooms list', 'enfilade rooms list --json', 'enfilade rooms list --search hall'),
    )
    .action(
      connected(async ({ client }, { search, ...options }: ListOptions & { search?: string }) => {
        const rows = eachEntry((page) => client.rooms.list({ query: { ...page, search } }));
        await printList(options, ROOM_COLUMNS, rows, (row) => row);
      }),
    );
  for (const option of listOptions()) command.addOption(option);
};
