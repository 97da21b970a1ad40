import { Option } from 'commander';
import { type AddCommand, connected, examples, group } from '../command.ts';
import { folderIdOf } from '../folders/find-folder.ts';
import { jsonText } from '../io/write-output.ts';
import { eachEntry } from '../report/pages.ts';
import { listCommand, removeCommand } from '../resource.ts';
import { ROOM_ORDERS, type RoomOrder } from '../words.ts';
import { budget } from './budget.ts';
import { createRooms } from './create.ts';
import { diff } from './diff.ts';
import { exportRooms } from './export.ts';
import { findRoom } from './find-room.ts';
import { hangWorks } from './hang.ts';
import { importRooms } from './import.ts';
import { lint } from './lint.ts';
import { logRoom } from './log.ts';
import { mergeRooms } from './merge.ts';
import { moveRooms } from './move.ts';
import { publishRoom } from './publish.ts';
import { replaceTexts } from './replace.ts';
import { simulateRoom } from './simulate.ts';
import { unpublishRoom } from './unpublish.ts';

const copyRoom: AddCommand = (rooms) => {
  rooms
    .command('copy')
    .description('copy a room with its elements')
    .argument('<room>', 'ID, public path or name of a room')
    .option('--title <title>', 'title of the copy')
    .option('--json', 'print JSON', false)
    .addHelpText('after', examples('enfilade rooms copy gallery', 'enfilade rooms copy 12 --title "Gallery, winter"'))
    .action(
      connected(async ({ client }, room: string, { title, json }: { title?: string; json: boolean }) => {
        let copy = await client.rooms.copy({ params: { id: await findRoom(client, room) } });
        if (title) copy = await client.rooms.update({ params: { id: copy.id }, body: { title, name: title } });
        const { id, name } = copy;
        process.stdout.write(json ? jsonText({ id, name, title: copy.title }) : `Room ${id}: ${copy.title}\n`);
      }),
    );
};

export const rooms = group('rooms', 'rooms (spaces) and their elements', [
  listCommand({
    description: 'list rooms by name; for importable documents, use export',
    examples: ['rooms list', 'rooms list --search hall --sort -edited', 'rooms list --folder Museum/East'],
    columns: ['id', 'name', 'title', 'template_id', 'updated_at'],
    orders: ROOM_ORDERS,
    options: () => [
      new Option('--search <words>', 'filter by text in the name'),
      new Option('--folder <path>', 'filter by folder with its subfolders; / for rooms in no folder'),
    ],
    each: async function* (client, { search, sort, folder }: { search?: string; sort?: RoomOrder; folder?: string }) {
      const folder_id = folder === undefined ? undefined : ((await folderIdOf(client, folder)) ?? 0);
      yield* eachEntry((page) => client.rooms.list({ query: { ...page, search, sort, folder_id } }));
    },
  }),
  logRoom,
  exportRooms,
  importRooms,
  createRooms,
  copyRoom,
  moveRooms,
  removeCommand({
    description: 'remove rooms; can be undone for 30 days',
    examples: ['rooms remove 12 13', 'rooms remove "Old hall"'],
    argument: ['rooms', 'IDs, public paths or names'],
    kind: 'rooms',
    find: async (client, wanted) => ({ id: await findRoom(client, wanted) }),
  }),
  hangWorks,
  replaceTexts,
  publishRoom,
  unpublishRoom,
  lint,
  diff,
  mergeRooms,
  simulateRoom,
  budget,
]);
