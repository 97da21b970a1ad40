import { type AddCommand, connected, examples } from '../command.ts';
import { jsonText } from '../io/write-output.ts';
import { findRoom } from './find-room.ts';

export const copyRoom: AddCommand = (rooms) => {
  rooms
    .command('copy')
    .description('copy a room with its elements')
    .argument('<room>', 'id, public path or name of a room')
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
