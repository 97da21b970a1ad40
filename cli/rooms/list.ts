import { type AddCommand, connected, examples } from '../command.ts';
import { type ListOptions, listOptions, printList, sortOption } from '../report/list.ts';
import { eachEntry } from '../report/pages.ts';
import { ROOM_ORDERS, type RoomOrder } from '../words.ts';

const ROOM_COLUMNS = ['id', 'name', 'title', 'template_id', 'updated_at'];

type Options = ListOptions & { search?: string; sort?: RoomOrder };

export const listRooms: AddCommand = (rooms) => {
  const command = rooms
    .command('list')
    .description('list rooms by name; export writes what import reads')
    .option('--search <words>', 'only those whose name contains these words')
    .addOption(sortOption(ROOM_ORDERS))
    .addHelpText(
      'after',
      examples('enfilade rooms list', 'enfilade rooms list --json', 'enfilade rooms list --search hall --sort -edited'),
    )
    .action(
      connected(async ({ client }, { search, sort, ...options }: Options) => {
        const rows = eachEntry((page) => client.rooms.list({ query: { ...page, search, sort } }));
        await printList(options, ROOM_COLUMNS, rows, (row) => row);
      }),
    );
  for (const option of listOptions()) command.addOption(option);
};
