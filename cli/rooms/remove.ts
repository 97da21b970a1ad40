import { type AddCommand, connected, examples } from '../command.ts';
import { removeEach } from '../report/remove-each.ts';
import { findRoom } from './find-room.ts';

export const removeRooms: AddCommand = (rooms) => {
  rooms
    .command('remove')
    .description('remove rooms; the history of the back-office brings them back for 30 days')
    .argument('<rooms...>', 'ids, public paths or names')
    .addHelpText('after', examples('enfilade rooms remove 12 13', 'enfilade rooms remove "Old hall"'))
    .action(
      connected(async ({ client }, given: string[]) => {
        // All of them are found before the first one goes.
        const ids: number[] = [];
        for (const room of given) ids.push(await findRoom(client, room));
        await removeEach(ids, (id) => client.rooms.remove({ params: { id } }));
      }),
    );
};
